import type { IpFamily } from '../../net/ipFamily.js'
import type { PlaceState } from './types.js'

/** Commands that make routes, policies and sysctls of a place those of a checkpoint, in their order. */
export function placeChanges(wanted: PlaceState, present: PlaceState): readonly (readonly string[])[] {
  const families = ['IPv4', 'IPv6'] as const
  return [
    ...families.flatMap((family) => [
      ...routeChanges(lines(wanted.routes[family]), lines(present.routes[family]), family),
      ...policyChanges(lines(wanted.policies[family]), lines(present.policies[family]), family),
    ]),
    ...sysctlChanges(wanted.sysctls, present.sysctls),
  ]
}

function routeChanges(wanted: readonly string[], present: readonly string[], family: IpFamily): string[][] {
  const gone = present.filter((line) => !wanted.includes(line))
  const added = wanted.filter((line) => !present.includes(line))
  const act = (verb: string, line: string) => ['ip', flag(family), 'route', verb, ...routeWords(line)]
  return [...gone.map((line) => act('del', line)), ...added.map((line) => act('add', line))]
}

/** States that `ip route` prints and does not read. */
const notRead = new Set(['linkdown', 'dead', 'rt_offload', 'rt_trap', 'offload', 'trap', 'pervasive'])

function routeWords(line: string): string[] {
  return words(line).filter((word) => !notRead.has(word))
}

/** `100:	from 10.0.0.0/8 lookup 100` is `pref 100 from 10.0.0.0/8 lookup 100`. */
function policyChanges(wanted: readonly string[], present: readonly string[], family: IpFamily): string[][] {
  const act = (verb: string, line: string) => {
    const [priority = '', ...rest] = words(line)
    return ['ip', flag(family), 'rule', verb, 'pref', priority.replace(':', ''), ...rest]
  }
  const gone = present.filter((line) => !wanted.includes(line))
  const added = wanted.filter((line) => !present.includes(line))
  return [...gone.map((line) => act('del', line)), ...added.map((line) => act('add', line))]
}

/** One command: forwarding comes first, because it resets others. */
function sysctlChanges(wanted: string, present: string): string[][] {
  const now = new Set(lines(present))
  const changed = lines(wanted).filter((line) => !now.has(line))
  if (changed.length === 0) return []
  const isFirst = (line: string) => /^net\.ipv[46]\.(ip_forward|conf\.all\.forwarding) /.test(line)
  const ordered = [...changed.filter(isFirst), ...changed.filter((line) => !isFirst(line))]
  return [['sysctl', '-qw', ...ordered.map((line) => line.replace(' = ', '='))]]
}

function flag(family: IpFamily): string {
  return family === 'IPv4' ? '-4' : '-6'
}

function lines(text = ''): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

function words(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '')
}
