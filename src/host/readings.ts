import { readFileSync } from 'node:fs'
import type { IpFamily } from '../cluster/types.js'
import { ruleCounts } from '../netfilter/counts.js'
import { parseConntrack } from '../netfilter/conntrack.js'
import { parseSave } from '../netfilter/save.js'
import type { ConntrackEntry, RuleCount } from '../netfilter/types.js'
import type { Iptables } from './backend.js'
import type { Sandbox } from './sandbox.js'

/** What every rule of a namespace has counted so far, both families together. */
export async function readRuleCounts(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  families: readonly IpFamily[],
): Promise<RuleCount[]> {
  const texts = await Promise.all(
    families.map((family) =>
      sandbox.must('reading rule counters', [iptables.program(family, 'save'), '-c'], { netns }),
    ),
  )
  return texts.flatMap(({ stdout }) => ruleCounts(parseSave(stdout)))
}

/**
 * The namespace's conntrack table, both families together. Where the kernel shows it under /proc (nf_conntrack_procfs),
 * the file of any process in the namespace saves starting conntrack.
 */
export async function readConntrack(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
  pidThere: number | undefined,
): Promise<ConntrackEntry[]> {
  const text = pidThere === undefined ? undefined : readIfThere(`/proc/${pidThere}/net/nf_conntrack`)
  if (text !== undefined) return parseConntrack(text)
  const texts = await Promise.all(
    families.map((family) =>
      sandbox.must('reading conntrack', ['conntrack', '-L', '-f', family === 'IPv4' ? 'ipv4' : 'ipv6'], {
        netns,
      }),
    ),
  )
  return texts.flatMap(({ stdout }) => parseConntrack(stdout))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
