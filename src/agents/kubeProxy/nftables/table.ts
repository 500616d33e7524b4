import { isDeepStrictEqual } from 'node:util'
import type { IpFamily } from '../../../net/ipFamily.js'
import type { Service } from '../../../cluster/types.js'
import { endpointsMap, type ProxyEndpoint } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { ofServices } from '../ofServices.js'
import { servicePortOptions, servicePorts, type ServicePort } from '../servicePort.js'
import { fixedChains } from './baseChains.js'
import { containers, sharedContainers, type SharedContainer } from './containers.js'
import { nftContext, type NftContext } from './context.js'
import type { NftChain, NftContainer, NftElement } from './rule.js'
import { ServicePortTable } from './serviceTable.js'

/** kube-proxy's table of one family, with the reason of each rule. */
export interface NftTable {
  readonly family: IpFamily
  readonly context: NftContext
  readonly containers: readonly NftContainer[]
  /** Base chains and the chains that they jump to. */
  readonly fixed: readonly NftChain[]
  /** By name, then protocol. */
  readonly servicePorts: readonly ServicePortTable[]
}

/** Elements of the sets and maps of all Services, by key. */
export type SharedElements = ReadonlyMap<SharedContainer, ReadonlyMap<string, NftElement>>

const none: readonly ProxyEndpoint[] = []

/** What kube-proxy in nftables mode writes for one node and family. */
export function buildTable(input: ProxyInput, family: IpFamily): NftTable {
  const context = nftContext(input, family)
  return tableOf(context, made(input, input.services, input.endpointSlices, context))
}

/**
 * The same as buildTable for a later input, but reuses the Services that did not change; `changed`
 * holds `namespace/name`, see `changesBetween`.
 */
export function updateTable(previous: NftTable, input: ProxyInput, changed: ReadonlySet<string>): NftTable {
  const { family } = previous
  const context = nftContext(input, family)
  // The shared context has changed: no service port can be reused.
  if (!isDeepStrictEqual(context, previous.context)) return buildTable(input, family)
  const { services, endpointSlices } = ofServices(input, changed, family)
  const kept = previous.servicePorts.filter(({ service }) => !changed.has(service))
  const rebuilt = made(input, services, endpointSlices, context)
  const all = [...kept, ...rebuilt].sort((a, b) => byNameAndProtocol(a.port, b.port))
  return { ...previous, servicePorts: all }
}

/**
 * The elements of a table, for some keys or all. If service ports share a key, the last one wins, at the
 * position of the first.
 */
export function sharedElements(
  { servicePorts }: Pick<NftTable, 'servicePorts'>,
  keys?: ReadonlySet<string>,
): SharedElements {
  const all = new Map(sharedContainers.map((name) => [name, new Map<string, NftElement>()]))
  for (const { elements } of servicePorts) {
    for (const element of elements) {
      if (keys === undefined || keys.has(element.key)) all.get(element.container)?.set(element.key, element)
    }
  }
  return all
}

function tableOf(context: NftContext, ports: readonly ServicePortTable[]): NftTable {
  return {
    family: context.family,
    context,
    containers: containers(context),
    fixed: fixedChains(context),
    servicePorts: ports,
  }
}

function made(
  input: ProxyInput,
  services: readonly Service[],
  slices: ProxyInput['endpointSlices'],
  context: NftContext,
): ServicePortTable[] {
  const endpoints = endpointsMap(slices, context.family, input.node.metadata.name)
  const options = servicePortOptions(input.config)
  return services
    .flatMap((service) => servicePorts(service, context.family, options))
    .sort(byNameAndProtocol)
    .map((port) => new ServicePortTable(port, endpoints.get(port.key) ?? none, context))
}

/** kube-proxy itself iterates over service ports in random order. */
function byNameAndProtocol(a: ServicePort, b: ServicePort): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.protocol < b.protocol ? -1 : a.protocol > b.protocol ? 1 : 0
}
