import { namespacedName } from '../../../cluster/namespacedName.js'
import { groupBy } from '../../../groupBy.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import { plannedState } from '../../../snapshot/fromPlan/plannedState.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { linesOf, restartProxy, some, type Fact } from './fact.js'
import { servedKey, servedOn, type ServedAddress } from './served.js'

/** Rules of kube-proxy that do not fit the objects: addresses of Services that are missing, endpoints that are gone. */
export function staleRules(snapshot: Snapshot): Fact[] {
  const { model, rulesRead } = snapshot
  if (model.kubeProxy.kind === 'none') return []
  return model.topology.nodes.flatMap(({ name, netns }) =>
    rulesRead?.has(name) === false
      ? []
      : model.topology.families.flatMap((family) => onNode(snapshot, name, netns, family)),
  )
}

function onNode(snapshot: Snapshot, node: string, netns: string, family: IpFamily): Fact[] {
  const { model, state } = snapshot
  const planned = servedOn(plannedState(model), netns, family)
  if (planned === undefined || planned.size === 0) return []
  const read = servedOn(state, netns, family)
  const ports = portsByKey(snapshot, family)
  const wanted = [...planned.values()].filter(
    ({ key, endpoints }) => ports.has(key) && endpoints.size > 0 && !key.startsWith('*'),
  )
  if (read === undefined) {
    const hasNone = wanted.length > 0 && hasNoProxyRules(snapshot, netns, family)
    return hasNone ? [withoutRules(snapshot, node, family)] : []
  }
  const lacking = wanted.filter(({ key }) => (read.get(key)?.endpoints.size ?? 0) === 0)
  if (lacking.length > 1 && lacking.length === wanted.length && read.size === 0)
    return [withoutRules(snapshot, node, family)]
  const podAt = addressesOfPods(snapshot)
  const compared = wanted.flatMap((one) => {
    const now = read.get(one.key)
    return now === undefined || now.endpoints.size === 0 ? [] : [{ one, now }]
  })
  const removed = compared.flatMap(({ one, now }) => {
    const extra = [...now.endpoints.keys()].filter((endpoint) => !one.endpoints.has(endpoint))
    return extra.length === 0 ? [] : [{ service: ports.get(one.key) ?? '', one, now, extra }]
  })
  const unused = compared.flatMap(({ one, now }) => {
    const missing = [...one.endpoints.keys()].filter((endpoint) => !now.endpoints.has(endpoint))
    const isStale = removed.some((other) => other.one === one)
    return missing.length === 0 || isStale ? [] : [{ service: ports.get(one.key) ?? '', one, now, missing }]
  })
  const about = (key: string) => ({ node, family, key, service: ports.get(key) ?? '' })
  return [
    ...lacking.map((one) => lackingFact(snapshot, about(one.key), one, read.get(one.key))),
    ...removed.map(({ one, now, extra }): Fact => {
      const gone = extra.filter((endpoint) => podAt.size > 0 && !podAt.has(hostOf(endpoint)))
      const isCertain = gone.length > 0
      return {
        ...common(snapshot, about(one.key), now),
        at: linesOf(extra.map((endpoint) => ({ at: now.endpoints.get(endpoint) }))),
        code: 'rules-stale',
        says: `the rules of ${node} for ${about(one.key).service} still send to ${some(extra)}, which ${extra.length === 1 ? 'is no endpoint' : 'are no endpoints'} of it${isCertain ? `: no pod has the address ${some(gone.map(hostOf))}` : ''}`,
        ...(!isCertain && { note: true as const }),
      }
    }),
    ...unused.map(({ one, now, missing }): Fact => ({
      ...common(snapshot, about(one.key), now),
      code: 'rules-stale',
      says: `the rules of ${node} for ${about(one.key).service} do not send to ${some(missing)}, which ${missing.length === 1 ? 'is an endpoint' : 'are endpoints'} of it`,
      note: true,
    })),
    ...unknownServices(snapshot, node, planned, read),
  ]
}

interface About {
  readonly node: string
  readonly family: IpFamily
  readonly key: string
  /** `Service default/web` */
  readonly service: string
}

function lackingFact(
  snapshot: Snapshot,
  about: About,
  { endpoints }: ServedAddress,
  now: ServedAddress | undefined,
): Fact {
  const { node, key, service } = about
  const ready = endpoints.size === 1 ? '1 ready endpoint' : `${endpoints.size} ready endpoints`
  const does =
    now === undefined
      ? `${node} has no rule of kube-proxy for ${key} of ${service}`
      : `the rules of ${node} reject ${key} of ${service}`
  return {
    ...common(snapshot, about, now),
    code: now === undefined ? 'rules-missing' : 'rules-stale',
    says: `${does}, although it has ${ready} (${some([...endpoints.keys()])})`,
  }
}

function common(snapshot: Snapshot, { node, key, service }: About, now: ServedAddress | undefined) {
  const [, namespace = '', name = ''] = /^Service ([^/]+)\/(.+)$/.exec(service) ?? []
  const { rule } = now ?? {}
  return {
    node,
    object: { kind: 'Service', namespace, name },
    rule: rule === undefined ? undefined : `${node} ${rule.table} ${rule.chain}: ${rule.spec}`,
    decided:
      rule === undefined ? undefined : { place: node, table: rule.table, chain: rule.chain, spec: rule.spec },
    at: linesOf([rule]),
    fixes: [restartProxy(snapshot, node)],
    concerns: (request: {
      readonly node: string
      readonly written: { readonly to: string; readonly protocol: string }
    }) => request.node === node && `${request.written.to}/${request.written.protocol}` === key,
  }
}

function withoutRules(snapshot: Snapshot, node: string, family: IpFamily): Fact {
  return {
    code: 'rules-missing',
    says: `${node} has no rules of kube-proxy for ${family}: no cluster IP and no node port is served there`,
    node,
    fixes: [restartProxy(snapshot, node)],
    concerns: (request) => request.node === node,
  }
}

/** Whether the whole rules of a node were read, and none is of kube-proxy. */
function hasNoProxyRules({ state }: Snapshot, netns: string, family: IpFamily): boolean {
  const tables = state.rules.get(netns)?.[family]
  const names = [...(tables?.values() ?? [])].flatMap((chains) => [...chains.keys()])
  const native = state.nft.get(netns)?.tables ?? []
  const isNative = native.some(({ name, chains }) => name === 'kube-proxy' || chains.has('KUBE-SERVICES'))
  return tables?.has('nat') === true && !isNative && !names.some((name) => /^KUBE-(SERVICES|SVC-)/.test(name))
}

/** Cluster IPs in the rules that no Service of the objects has, where these are those of a whole cluster. */
function unknownServices(
  snapshot: Snapshot,
  node: string,
  planned: ReadonlyMap<string, ServedAddress>,
  read: ReadonlyMap<string, ServedAddress>,
): Fact[] {
  const { services } = snapshot.model.cluster
  const isWhole = services.some((one) => namespacedName(one) === 'default/kubernetes')
  const namespaces = new Set(services.map(({ metadata }) => metadata.namespace ?? 'default'))
  const names = new Set(services.map(namespacedName))
  const unknown = [...read.values()].filter(({ key, servicePort = '' }) => {
    const [name = ''] = servicePort.split(':')
    const isListed = namespaces.has(name.split('/')[0] ?? '') && !names.has(name)
    return isWhole && isListed && !planned.has(key)
  })
  return [...groupBy(unknown, ({ servicePort = '' }) => servicePort.replace(/:.*/, ''))].map(
    ([service, own]): Fact => ({
      code: 'rules-stale',
      says: `${node} has rules for Service ${service}, which does not exist`,
      node,
      note: true,
      at: linesOf(own.map(({ rule }) => rule)).slice(0, 2),
      fixes: [restartProxy(snapshot, node)],
    }),
  )
}

/** `Service default/web` by the keys of its cluster IPs and node ports, of Services whose endpoints are known. */
function portsByKey({ model, hidden }: Snapshot, family: IpFamily): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const service of model.cluster.services) {
    const unseen = hidden?.get(`Service ${namespacedName(service)}`) ?? []
    // by a label, which tables do not show, kube-proxy leaves the Service of an API server alone that no pod can reach
    const isApi = namespacedName(service) === 'default/kubernetes' && unseen.includes('metadata.labels')
    if (unseen.includes('endpoints') || isApi) continue
    const { ports = [], clusterIPs = [] } = service.spec
    for (const { port, protocol = 'TCP' } of ports)
      for (const address of clusterIPs)
        if (address !== 'None' && address !== '' && address.includes(':') === (family === 'IPv6'))
          found.set(servedKey(address, port, protocol), `Service ${namespacedName(service)}`)
  }
  return found
}

function addressesOfPods({ model }: Snapshot): ReadonlySet<string> {
  const all = [...model.topology.pods, ...model.topology.nodes, ...model.topology.clients]
  return model.cluster.pods.length === 0
    ? new Set()
    : new Set(all.flatMap(({ addresses }) => addresses.map(({ address }) => address)))
}

/** `10.244.1.2` of `10.244.1.2:80`. */
function hostOf(socket: string): string {
  return socket.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
}
