import type { Endpoint, EndpointSlice, Protocol, Service, ServicePort } from '../../cluster/types.js'
import { targetName, matchOf, type Rule } from '../../netfilter/rules/model.js'
import { familyOf } from '../../net/ipFamily.js'
import type { RuleTables } from '../model/state.js'
import type { Bundle } from './bundle.js'

/** A port of a Service, as rules of kube-proxy show it. */
export interface ImpliedPort {
  readonly namespace: string
  readonly service: string
  readonly port: ServicePort
  readonly clusterIP: string
  readonly endpoints: readonly { readonly address: string; readonly port: number }[]
}

/** The ports of Services that the rules of iptables mode on any node show: by their comments, addresses and targets. */
export function impliedPorts({ nodes }: Bundle): ImpliedPort[] {
  const found = new Map<string, ImpliedPort>()
  for (const { texts } of nodes)
    for (const { part } of texts)
      for (const tables of Object.values(part.rules ?? {}))
        for (const port of portsIn(tables)) {
          const key = `${port.clusterIP} ${port.port.protocol} ${port.port.port}`
          if (!found.has(key)) found.set(key, port)
        }
  return [...found.values()]
}

function portsIn(tables: RuleTables): ImpliedPort[] {
  const nat = tables.get('nat')
  const rules = (chain: string) => (nat?.get(chain)?.rules ?? []).map(({ rule }) => rule)
  const nodePorts = rules('KUBE-NODEPORTS')
  return rules('KUBE-SERVICES').flatMap((rule): ImpliedPort[] => {
    const chain = targetName(rule) ?? ''
    const [, namespace, service, name] =
      /^([a-z0-9-]+)\/([a-z0-9.-]+?)(?::([a-z0-9-]+))? cluster IP$/.exec(
        matchOf(rule, 'comment')?.comment ?? '',
      ) ?? []
    const clusterIP = rule.destination?.value.replace(/\/\d+$/, '')
    const port = portOf(rule)
    if (namespace === undefined || service === undefined || clusterIP === undefined || port === undefined)
      return []
    const protocol = (rule.protocol?.value ?? 'tcp').toUpperCase() as Protocol
    const comment = `${namespace}/${service}${name === undefined ? '' : `:${name}`}`
    const own = nodePorts.find(
      (one) => matchOf(one, 'comment')?.comment === comment && one.protocol?.value.toUpperCase() === protocol,
    )
    const nodePort = own && portOf(own)
    return [
      {
        ...{ namespace, service, clusterIP },
        port: {
          port,
          protocol,
          ...(name !== undefined && { name }),
          ...(nodePort !== undefined && { nodePort }),
        },
        endpoints: rules(chain).flatMap((one) => rules(targetName(one) ?? '').flatMap(targetOf)),
      },
    ]
  })
}

function portOf(rule: Rule): number | undefined {
  for (const match of rule.matches) {
    const { dport } = match as { dport?: { value: { first: number; last: number } } }
    if (dport !== undefined) return dport.value.first
  }
  return undefined
}

function targetOf({ target }: Rule): { address: string; port: number }[] {
  if (target?.kind !== 'DNAT') return []
  const { addresses, ports } = target.toDestination ?? {}
  return addresses === undefined || ports === undefined
    ? []
    : [{ address: addresses.first, port: ports.first }]
}

/** The Services of these ports. */
export function impliedServices(ports: readonly ImpliedPort[]): Service[] {
  const byName = new Map<string, ImpliedPort[]>()
  for (const port of ports) {
    const key = `${port.namespace}/${port.service}`
    byName.set(key, [...(byName.get(key) ?? []), port])
  }
  return [...byName.values()].flatMap((own): Service[] => {
    const [first] = own
    if (first === undefined) return []
    const { namespace, service: name } = first
    const clusterIPs = [...new Set(own.map(({ clusterIP }) => clusterIP))]
    return [
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
        spec: {
          type: own.some(({ port }) => port.nodePort !== undefined) ? 'NodePort' : 'ClusterIP',
          clusterIP: first.clusterIP,
          clusterIPs,
          ipFamilies: [...new Set(clusterIPs.map(familyOf))],
          ports: own.filter(({ clusterIP }) => clusterIP === first.clusterIP).map(({ port }) => port),
        },
      },
    ]
  })
}

/** The slices of these ports; `nodeOf` has the nodes of addresses, where they are known. */
export function impliedSlices(
  ports: readonly ImpliedPort[],
  nodeOf: (address: string) => string | undefined,
): EndpointSlice[] {
  return ports.map(({ namespace, service, port, endpoints, clusterIP }, index): EndpointSlice => ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: {
      name: `${service}-of-rules-${index}`,
      namespace,
      labels: { 'kubernetes.io/service-name': service },
    },
    addressType: familyOf(clusterIP),
    endpoints: endpoints.map(({ address }): Endpoint => {
      const nodeName = nodeOf(address)
      return {
        addresses: [address],
        conditions: { ready: true },
        ...(nodeName !== undefined && { nodeName }),
      }
    }),
    ports: [
      {
        ...(port.name !== undefined && { name: port.name }),
        ...{ protocol: port.protocol ?? 'TCP', port: endpoints[0]?.port ?? port.port },
      },
    ],
  }))
}
