import { readFileSync } from 'node:fs'
import { $ } from 'zx'
import { sandboxMark } from '../../src/host/sandbox/sandboxInit.js'
import { processes } from './processes.js'

/** Environment of the watched runs. Their child processes have it too, unlike the processes of other labs. */
export const runMark = { VETHLAB_SOAK: String(process.pid) }

/** What a run could leave on the host. */
export interface Surroundings {
  /** Names of the host's links. */
  readonly links: ReadonlySet<string>
  /** Sandboxes and other processes of the watched runs, as `pid words`. */
  readonly processes: readonly string[]
}

/** Lists the host's links, and the processes of the watched runs. */
export async function lookAround(): Promise<Surroundings> {
  const { stdout } = await $({ quiet: true })`ip -o link`
  const links = stdout.split('\n').flatMap((line) => /^\d+: ([^:@]+)/.exec(line)?.[1] ?? [])
  return { links: new Set(links), processes: processes().filter(isOurs).map(describe) }
}

/** A line for each new link or process, and for each link that is gone. */
export function describeLeft(before: Surroundings, after: Surroundings): string[] {
  return [
    ...[...after.links].filter((link) => !before.links.has(link)).map((link) => `link ${link}`),
    ...[...before.links].filter((link) => !after.links.has(link)).map((link) => `link ${link} is gone`),
    ...after.processes.map((line) => `process ${line}`),
  ]
}

function isOurs({ pid }: { pid: number }): boolean {
  const mark = `VETHLAB_SOAK=${runMark.VETHLAB_SOAK}`
  try {
    return pid !== process.pid && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
  } catch {
    // the process has ended, or belongs to another user
    return false
  }
}

function describe({ pid, words }: { pid: number; words: readonly string[] }): string {
  const sandbox = words.includes(sandboxMark) ? 'a sandbox: ' : ''
  return `${pid} ${sandbox}${words.join(' ').trim().slice(0, 100)}`
}
