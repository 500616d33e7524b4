import type { NftExpression, NftStatement } from '../../netfilter/nft/model.js'
import type { Rule } from '../../netfilter/rules/model.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { TraceState } from '../../snapshot/model/state.js'

/**
 * Whether a host tracks connections of a family: the kernel begins when a rule needs it, in any chain (nf_ct_netns_get of Linux).
 * What is not known may need it. A host without rules has no hook that would notice.
 */
export function isTracking(state: TraceState, place: string, family: IpFamily): boolean {
  const { rules, nft, servers, connections = [] } = state
  const tables = rules.get(place)?.[family]
  const native = nft.get(place)?.tables ?? []
  if (tables === undefined && native.length === 0) return true
  if (servers?.has(place) === true || connections.some((known) => known.place === place)) return true
  for (const chains of tables?.values() ?? [])
    for (const chain of chains.values()) if (chain.rules.some(({ rule }) => needsTracking(rule))) return true
  const own = family === 'IPv4' ? 'ip' : 'ip6'
  return native.some(
    (table) =>
      (table.family === own || table.family === 'inet') &&
      [...table.chains.values()].some((chain) =>
        chain.rules.some(({ statements }) => statements.some(statementNeedsTracking)),
      ),
  )
}

const matches: ReadonlySet<string> = new Set([
  ...['conntrack', 'state', 'connmark', 'connlimit', 'helper', 'unknown'],
])
const targets: ReadonlySet<string> = new Set([
  ...['DNAT', 'SNAT', 'MASQUERADE', 'REDIRECT', 'NETMAP', 'CONNMARK', 'CT', 'unknown'],
])

function needsTracking({ matches: own, target }: Rule): boolean {
  if (own.some(({ kind }) => matches.has(kind))) return true
  return (
    target !== undefined && targets.has(target.kind) && !(target.kind === 'CT' && target.notrack === true)
  )
}

function statementNeedsTracking(statement: NftStatement): boolean {
  switch (statement.kind) {
    case 'nat':
    case 'connections':
    case 'unknown':
      return true
    case 'match':
      return readsConnection(statement.left) || readsConnection(statement.right)
    case 'vmap':
    case 'change':
      return readsConnection(statement.key)
    case 'assign':
      return readsConnection(statement.target) || readsConnection(statement.value)
    default:
      return false
  }
}

function readsConnection(expression: NftExpression): boolean {
  switch (expression.kind) {
    case 'ct':
      return true
    case 'binary':
      return readsConnection(expression.left) || readsConnection(expression.right)
    case 'concat':
      return expression.parts.some(readsConnection)
    case 'map':
      return readsConnection(expression.key)
    default:
      return false
  }
}
