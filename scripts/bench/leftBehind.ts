import { readFileSync } from 'node:fs'
import { $ } from 'zx'
import { sandboxMark } from '../../src/host/sandbox/sandboxInit.js'
import { processes } from './processes.js'

/** Environment of the runs that are watched: what they start has it too, so that others' labs are told from theirs. */
export const runMark = { VETHLAB_SOAK: String(process.pid) }

/** What a run could leave on the machine. */
export interface Surroundings {
  /** Names of the machine's links. */
  readonly links: ReadonlySet<string>
  /** Sandboxes and other processes of the watched runs, as `pid words`. */
  readonly processes: readonly string[]
}

/** Looks at the machine's links, and for processes of the watched runs. */
export async function lookAround(): Promise<Surroundings> {
  const { stdout } = await $({ quiet: true })`ip -o link`
  const links = stdout.split('\n').flatMap((line) => /^\d+: ([^:@]+)/.exec(line)?.[1] ?? [])
  return { links: new Set(links), processes: processes().filter(isOurs).map(describe) }
}

/** What is there that was not there before, a line each; links that are gone as well. */
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
    // it has ended, or is another user's
    return false
  }
}

function describe({ pid, words }: { pid: number; words: readonly string[] }): string {
  const sandbox = words.includes(sandboxMark) ? 'a sandbox: ' : ''
  return `${pid} ${sandbox}${words.join(' ').trim().slice(0, 100)}`
}
