import { joinHostPort } from '../../../net/socketText.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import type { NftExpression, NftOperand, NftStatement } from '../../../netfilter/nft/model.js'
import { matchOf, targetName, type Rule } from '../../../netfilter/rules/model.js'
import { servicePortName } from '../../../netfilter/chainOwners.js'
import type { NftTable } from '../../../snapshot/model/nft.js'
import type { ReadAt } from '../../../snapshot/model/readAt.js'
import type { RuleTables, TracedRule, TraceState } from '../../../snapshot/model/state.js'

type Endpoints = ReadonlyMap<string, ReadAt | undefined>

/** What the rules of a node do with a cluster IP or a node port. */
export interface ServedAddress {
  /** `10.96.0.10:53/udp`; `*:30080/tcp` for a node port. */
  readonly key: string
  /** `default/web:http`, where the rules name it. */
  readonly servicePort?: string | undefined
  /** The endpoints that get connections, with the rule that rewrites to them: `10.244.1.2:8080`; none if the rules reject or drop them. */
  readonly endpoints: Endpoints
  /** The rule that leads to them, or rejects. */
  readonly rule?:
    | {
        readonly table: string
        readonly chain: string
        readonly spec: string
        readonly at?: ReadAt | undefined
      }
    | undefined
}

/** The key of a socket of a Service, or of a node port without an address. */
export function servedKey(address: string | undefined, port: number | string, protocol: string): string {
  const host = address === undefined ? `*:${port}` : joinHostPort(address, Number(port))
  return `${host}/${protocol.toLowerCase()}`
}

/**
 * What kube-proxy’s rules of all modes on a node do with the addresses of Services; undefined if they cannot be read as such: there are
 * none, or conditions of them are not known.
 */
export function servedOn(
  state: TraceState,
  netns: string,
  family: IpFamily,
): ReadonlyMap<string, ServedAddress> | undefined {
  const tables = state.rules.get(netns)?.[family]
  const native = state.nft
    .get(netns)
    ?.tables.find(
      ({ name, family: own }) => name === 'kube-proxy' && own === (family === 'IPv4' ? 'ip' : 'ip6'),
    )
  const servers = (state.servers?.get(netns) ?? []).filter(
    ({ address }) => address.includes(':') === (family === 'IPv6'),
  )
  if (native !== undefined) return byKey(servedByNft(native))
  if (servers.length > 0)
    return byKey(
      servers.map(({ address, port, protocol, realServers }) => ({
        key: servedKey(address, port, protocol),
        endpoints: new Map(
          realServers.flatMap((real) =>
            real.weight > 0 ? [[joinHostPort(real.address, real.port), undefined] as const] : [],
          ),
        ),
      })),
    )
  return tables === undefined ? undefined : servedByIptables(tables)
}

/** The first of a key counts, as in rules, except a rejection, which is in another table. */
function byKey(all: readonly ServedAddress[]): ReadonlyMap<string, ServedAddress> {
  const found = new Map<string, ServedAddress>()
  for (const one of all) {
    const before = found.get(one.key)
    if (before === undefined || (before.endpoints.size === 0 && one.endpoints.size > 0))
      found.set(one.key, one)
  }
  return found
}

function servedByIptables(tables: RuleTables): ReadonlyMap<string, ServedAddress> | undefined {
  const nat = tables.get('nat')
  const services = nat?.get('KUBE-SERVICES')
  if (nat === undefined || services === undefined) return undefined
  const isIpvs = services.rules.some(({ rule }) => matchOf(rule, 'set') !== undefined)
  const isUnclear = services.rules.some(({ rule }) => rule.matches.some(({ kind }) => kind === 'unknown'))
  if (isIpvs || isUnclear) return undefined
  const served = (table: string, chain: string, isNodePort: boolean, isTarget: (name: string) => boolean) =>
    (tables.get(table)?.get(chain)?.rules ?? []).flatMap((traced): ServedAddress[] => {
      const { rule, spec, at } = traced
      const target = targetName(rule)
      const port = portOf(rule)
      const address = rule.destination?.value.replace(/\/\d+$/, '')
      if (target === undefined || !isTarget(target) || port === undefined) return []
      if ((address === undefined) !== isNodePort) return []
      return [
        {
          key: servedKey(isNodePort ? undefined : address, port, rule.protocol?.value ?? 'tcp'),
          servicePort: servicePortName(rule),
          endpoints: new Map(targetsOf(nat, traced)),
          rule: { table, chain, spec, at },
        },
      ]
    })
  const leads = (name: string) => /^KUBE-(SVC|SVL|EXT|XLB|FW|SEP)-/.test(name)
  const ends = (name: string) => name === 'REJECT' || name === 'DROP'
  return byKey([
    ...served('nat', 'KUBE-SERVICES', false, leads),
    ...served('nat', 'KUBE-NODEPORTS', true, leads),
    ...served('filter', 'KUBE-SERVICES', false, ends),
    ...served('filter', 'KUBE-EXTERNAL-SERVICES', true, ends),
  ])
}

type Target = readonly [socket: string, at: ReadAt | undefined]

/** The sockets to which the chains behind a rule rewrite. */
function targetsOf(
  nat: ReadonlyMap<string, { readonly rules: readonly TracedRule[] }>,
  { rule: { target }, at }: TracedRule,
  seen: ReadonlySet<string> = new Set(),
): Target[] {
  if (target?.kind === 'DNAT') {
    const { addresses, ports } = target.toDestination
    return addresses === undefined || ports === undefined
      ? []
      : [[joinHostPort(addresses.first, ports.first), at]]
  }
  if (target?.kind !== 'jump' && target?.kind !== 'goto') return []
  const { chain } = target
  if (seen.has(chain)) return []
  return (nat.get(chain)?.rules ?? []).flatMap((one) => targetsOf(nat, one, new Set([...seen, chain])))
}

function portOf(rule: Rule): number | undefined {
  for (const match of rule.matches)
    if ('dport' in match && match.dport !== undefined) return match.dport.value.first
  return undefined
}

function servedByNft(table: NftTable): ServedAddress[] {
  const elements = (name: string) => [...(table.sets.get(name)?.elements.exact.values() ?? [])]
  const served = (name: string, isNodePort: boolean) =>
    elements(name).map(({ key, value = '' }): ServedAddress => {
      const [address, protocol = '', port = ''] = isNodePort ? [undefined, ...key] : key
      const chain = /^(?:goto|jump) (\S+)/.exec(value)?.[1]
      return {
        key: servedKey(address, port, protocol),
        servicePort: /^\w+-[A-Z2-7]{8}-([^/]+\/[^/]+)\//.exec(chain ?? '')?.[1],
        endpoints: new Map(name.startsWith('no-endpoint') ? [] : nftTargets(table, chain)),
        rule: { table: `${table.family} ${table.name}`, chain: name, spec: key.join(' . ') },
      }
    })
  return [
    ...served('service-ips', false),
    ...served('service-nodeports', true),
    ...served('no-endpoint-services', false),
    ...served('no-endpoint-nodeports', true),
  ]
}

function nftTargets(
  table: NftTable,
  chain: string | undefined,
  seen: ReadonlySet<string> = new Set(),
): Target[] {
  if (chain === undefined || seen.has(chain)) return []
  const inside = new Set([...seen, chain])
  const behind = (verdict: string) => nftTargets(table, /^(?:goto|jump) (\S+)/.exec(verdict)?.[1], inside)
  const ofStatement = (statement: NftStatement, at: ReadAt | undefined): Target[] => {
    switch (statement.kind) {
      case 'verdict':
        return nftTargets(table, statement.verdict.chain, inside)
      case 'vmap':
        return values(table, statement.map).flatMap(behind)
      case 'nat':
        return statement.type === 'dnat' && statement.to !== undefined
          ? socketsOf(table, statement.to).map((socket): Target => [socket, at])
          : []
      default:
        return []
    }
  }
  return (table.chains.get(chain)?.rules ?? []).flatMap(({ statements, at }) =>
    statements.flatMap((statement) => ofStatement(statement, at)),
  )
}

function values({ sets }: NftTable, map: NftOperand): string[] {
  const elements = 'name' in map ? sets.get(map.name)?.elements : map.elements
  return [...(elements?.exact.values() ?? []), ...(elements?.ranges ?? [])].flatMap(
    ({ value }) => value ?? [],
  )
}

/** `10.244.1.2:80`, or the values of a map: `10.244.1.2 . 80`. */
function socketsOf(table: NftTable, to: NftExpression): string[] {
  if (to.kind === 'map') return values(table, to.map).map(joined)
  return to.kind === 'literal' ? to.words.slice(0, 1) : []
}

function joined(value: string): string {
  const [address = '', port = ''] = value.split(' . ')
  return joinHostPort(address, Number(port))
}
