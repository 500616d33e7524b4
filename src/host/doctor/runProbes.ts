import { CannotRunError } from '../../errors.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { SandboxOptions } from '../sandbox/startSandbox.js'
import { withSandbox } from '../sandbox/withSandbox.js'
import type { Probe, ProbeResult } from './probe.js'

/** The results of the probes, or why no sandbox could be created. */
export type ProbeRun =
  | {
      readonly ok: true
      readonly results: readonly ProbeResult[]
      /** Why the sandbox's root is the host's root; undefined if it is not. */
      readonly weakness: string | undefined
    }
  | { readonly ok: false; readonly said: string }

/** Runs probes one after the other in one sandbox like that of a lab. */
export async function runProbes(probes: readonly Probe[], options: SandboxOptions = {}): Promise<ProbeRun> {
  return withSandbox('doctor', options, async (made) => {
    let sandbox: Sandbox
    try {
      sandbox = await made
    } catch (error) {
      if (!(error instanceof CannotRunError)) throw error
      return { ok: false, said: lastLine(error.message.split('\n  ')[0] ?? '') }
    }
    const run = await sandbox.run(['sh', '-c', scriptOf(probes)], { timeoutMs: 30_000 })
    const records = run.stdout.split('\x1e').slice(0, -1)
    if (records.length === 0) return { ok: false, said: lastLine(run.stderr) }
    const results = records.map((record, index) => {
      const [status = '', output = ''] = record.split('\x1f')
      return {
        name: probes[index]?.name ?? '',
        ok: status === '0',
        toolMissing: status === '127',
        said: lastLine(output),
      }
    })
    // if the sandbox ends early, the remaining probes have no result
    return { ok: true, results, weakness: sandbox.weakness }
  })
}

// One shell for all: starting a sandbox for each probe would be slow.
function scriptOf(probes: readonly Probe[]): string {
  const each = probes.map(
    ({ script }) => `output=$( { set -e; ${script}; } 2>&1 ); printf '%s\\037%s\\036' "$?" "$output"`,
  )
  return ['mount -t tmpfs tmpfs /run || exit 1', ...each].join('\n')
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
