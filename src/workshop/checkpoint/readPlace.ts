import { nodeTables } from '../../host/proxier/nodeTables.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { Iptables } from '../../host/backend.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { PlaceState } from './types.js'

/** Reads rules, routes and sysctls of a network namespace. Throws CommandError. */
export async function readPlace(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  families: readonly IpFamily[],
): Promise<PlaceState> {
  const by = async (read: (family: IpFamily) => Promise<string>) =>
    Object.fromEntries(
      await Promise.all(families.map(async (family) => [family, await read(family)] as const)),
    )
  const run = async (argv: readonly string[]) =>
    (await sandbox.must('reading the state of a place', argv, { netns })).stdout
  const ip = (family: IpFamily, what: string) => run(['ip', family === 'IPv4' ? '-4' : '-6', what, 'show'])
  const [rules, routes, policies, sysctls] = await Promise.all([
    by((family) => nodeTables(sandbox, iptables, netns, family).save()),
    by(async (family) => without(await ip(family, 'route'), /proto (kernel|ra)\b|\bdev veth/)),
    by((family) => ip(family, 'rule')),
    // some cannot be read
    sandbox.run(['sysctl', '-a', '--pattern', '^net\\.'], { netns }).then(({ stdout }) => stdout),
  ])
  return { rules, routes, policies, sysctls: without(sysctls, unsteady) }
}

/** Links of pods have other names in another lab; counters and what the kernel computes are no settings. */
const unsteady =
  /\bveth|nf_conntrack_count|nf_conntrack_(max|buckets|expect_max)|\.mc_forwarding|\.stable_secret|\.route\.flush|ip_local_reserved|\.tcp_(mem|fastopen_key)|\.udp_mem|neigh\..*_stale_time_ms/

function without(text: string, pattern: RegExp): string {
  return text
    .split('\n')
    .filter((line) => !pattern.test(line))
    .join('\n')
}
