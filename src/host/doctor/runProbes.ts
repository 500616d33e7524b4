import { execa } from 'execa'
import { toolEnvironment } from '../environment.js'
import { sandboxNamespaces } from '../sandboxNamespaces.js'
import type { Probe, ProbeResult } from './probe.js'

/** Arguments of `unshare` for a sandbox as labs have it: with a user namespace unless root. */
export function sandboxArguments(rootless: boolean): readonly string[] {
  return rootless ? ['--user', '--map-root-user', ...sandboxNamespaces] : sandboxNamespaces
}

/** What came of trying to make a sandbox and, when one could be made, of the probes in it. */
export type ProbeRun =
  | { readonly ok: true; readonly results: readonly ProbeResult[] }
  | { readonly ok: false; readonly said: string }

/** Runs probes one after the other in one private sandbox, which the kernel takes down afterwards. */
export async function runProbes(probes: readonly Probe[], rootless: boolean): Promise<ProbeRun> {
  const argv = [...sandboxArguments(rootless), 'sh', '-c', scriptOf(probes)]
  const run = await execa('unshare', argv, {
    env: toolEnvironment(),
    reject: false,
    stdin: 'ignore',
    timeout: 20_000,
  })
  const records = run.stdout.split('\x1e').slice(0, -1)
  if (records.length === 0) return { ok: false, said: lastLine(run.stderr) || (run.shortMessage ?? '') }
  const results = records.map((record, index) => {
    const [status = '', output = ''] = record.split('\x1f')
    return {
      name: probes[index]?.name ?? '',
      ok: status === '0',
      toolMissing: status === '127',
      said: lastLine(output),
    }
  })
  // a sandbox that died on the way leaves the rest unknown: no result stands for them
  return { ok: true, results }
}

// One shell for all: starting a sandbox for each probe would take most of the time.
function scriptOf(probes: readonly Probe[]): string {
  const each = probes.map(
    ({ script }) => `output=$( { set -e; ${script}; } 2>&1 ); printf '%s\\037%s\\036' "$?" "$output"`,
  )
  return ['mount -t tmpfs tmpfs /run || exit 1', ...each].join('\n')
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
