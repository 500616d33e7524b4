import { CannotRunError } from '../errors.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { findTool, installCommand, ownTools, sandboxTools } from './environment.js'
import type { Sandbox } from './sandbox/sandbox.js'

/** The programs of one iptables backend, and their version. */
export interface Iptables {
  readonly backend: IptablesBackend
  /** As `iptables --version` prints it, e.g. "1.8.9". */
  readonly version: string
  /** Name of a program for a family: `program('IPv4', 'save')` is iptables-save or iptables-legacy-save. */
  program(family: IpFamily, what?: 'save' | 'restore'): string
  /** True from iptables 1.6.2 on: `MASQUERADE --random-fully` is supported. */
  readonly randomFully: boolean
}

/**
 * The requested backend, or the host's default. Inside the sandbox `iptables` becomes a link to the same backend, so that
 * users see the lab's rules there.
 */
export async function chooseIptables(
  sandbox: Sandbox,
  wanted: IptablesBackend | undefined,
): Promise<Iptables> {
  const suffix = wanted === undefined ? '' : `-${wanted}`
  const name = `iptables${suffix}`
  if (findTool(`${name}-restore`) === undefined) {
    throw new CannotRunError(`not installed on this host: ${name}`, installCommand(['iptables'], false))
  }
  if (wanted !== undefined) await makePlainNamesMean(sandbox, wanted)
  const { stdout } = await sandbox.must('reading the version of iptables', [name, '--version'])
  const match = /v(\d+\.\d+\.\d+)(?: \((nf_tables|legacy)\))?/.exec(stdout)
  const version = match?.[1] ?? 'unknown'
  const backend = match?.[2] === 'nf_tables' ? 'nft' : 'legacy'
  return {
    backend,
    version,
    randomFully: atLeast(version, [1, 6, 2]),
    program: (family, what) => iptablesProgram(wanted, family, what),
  }
}

/** Name of an iptables program; of the host's default backend if `wanted` is undefined. */
export function iptablesProgram(
  wanted: IptablesBackend | undefined,
  family: IpFamily,
  what?: 'save' | 'restore',
): string {
  const words = [family === 'IPv4' ? 'iptables' : 'ip6tables', wanted, what]
  return words.filter((word) => word !== undefined).join('-')
}

const plainNames = ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`])

/** Makes links where they come first, in arguments before their targets. No process can change them afterwards. */
const linkOwnTools = `
set -e
mount -t tmpfs -o mode=755 tmpfs ${ownTools}
while [ $# -gt 0 ]; do
  ln -s "$2" "${ownTools}/$1"
  shift 2
done
mount -o remount,bind,ro ${ownTools}
`

async function makePlainNamesMean(sandbox: Sandbox, backend: IptablesBackend): Promise<void> {
  const links = plainNames.flatMap((name) => {
    const tool = findTool(name.replace('tables', `tables-${backend}`))
    return tool === undefined ? [] : [[name, tool] as const]
  })
  for (const [name, tool] of links) sandbox.inside.link(`${sandboxTools}/${name}`, tool)
  const argv = ['sh', '-c', linkOwnTools, 'link-own-tools', ...links.flat()]
  await sandbox.must('choosing the backend of iptables', argv)
}

function atLeast(version: string, least: readonly [number, number, number]): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}
