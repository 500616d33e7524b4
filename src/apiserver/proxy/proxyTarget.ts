import { canonicalAddress } from '../../net/ranges.js'
import type { Endpoints, KubeObject, Pod, Service } from '../../cluster/types.js'
import { findResource } from '../resources.js'
import type { ResourceRoute } from '../route.js'
import { badRequest, notFound, StatusError } from '../status.js'
import type { Store } from '../store.js'

/** Where a request of the subresource `proxy` is sent. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  /** An IP address of a pod. */
  readonly address: string
  readonly port: number
}

/**
 * The pod that gets a request to `pods/NAME/proxy` or `services/NAME/proxy`, where NAME can be `name`, `name:port` and
 * `scheme:name:port` (ResourceLocation of pkg/registry/core). `random` chooses one of so many endpoints. Throws a
 * StatusError when there is none.
 */
export function proxyTarget(
  store: Store,
  { resource, namespace, name: id = '' }: ResourceRoute,
  random: (below: number) => number,
): ProxyTarget {
  const kind = resource.plural === 'services' ? 'service' : 'pod'
  const parts = id.split(':')
  const [scheme = '', name = '', port = ''] = parts.length > 2 ? parts : ['', ...parts]
  if (name === '' || parts.length > 3 || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`)
  const find = (plural: string) => {
    const found = findResource('', 'v1', plural)
    const object = found && store.get(found, namespace, name)
    if (object === undefined) throw notFound(found ?? resource, name)
    return object
  }
  const located =
    kind === 'pod'
      ? ofPod(find('pods') as Pod, port, scheme)
      : ofService({ id, name, port, find, random, store, namespace })
  return { scheme: scheme === 'https' ? 'https' : 'http', ...located }
}

type Located = Pick<ProxyTarget, 'address' | 'port'>

/** The first address of a pod, and the port that is written, else the first one that a container declares. */
function ofPod({ spec, status }: Pod, written: string, scheme: string): Located {
  const declared = spec.containers.flatMap(({ ports = [] }) => ports.slice(0, 1))[0]?.containerPort
  const address = status?.podIPs?.[0]?.ip ?? status?.podIP
  if (address === undefined) throw badRequest('address not allowed')
  if (written === '') return { address, port: declared ?? (scheme === 'https' ? 443 : 80) }
  if (!/^\d+$/.test(written)) throw notReached(`dial tcp: lookup tcp/${written}: unknown port`)
  if (Number(written) > 65_535) throw notReached(`dial tcp: address ${written}: invalid port`)
  return { address, port: Number(written) }
}

interface Asked {
  readonly id: string
  readonly name: string
  readonly port: string
  readonly namespace: string | undefined
  readonly store: Store
  readonly find: (plural: string) => KubeObject
  readonly random: (below: number) => number
}

/** A ready address of the Endpoints that is the one of a pod, at the port with the name. */
function ofService(asked: Asked): Located {
  const { id, name, find, random } = asked
  const portName = /^-?\d+$/.test(asked.port)
    ? namedPort(find('services') as Service, Number(asked.port))
    : asked.port
  const { subsets = [] } = find('endpoints') as Endpoints
  if (subsets.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
  for (const { addresses = [], ports = [] } of rotated(subsets, random)) {
    const port = ports.find((one) => (one.name ?? '') === portName)?.port
    const address = rotated(addresses, random).find((one) => isOfPod(one, asked))
    if (port !== undefined && port !== null && address !== undefined) return { address: address.ip, port }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(id)}`)
}

function namedPort({ metadata, spec }: Service, number: number): string {
  const found = spec.ports?.find(({ port }) => port === number)
  if (found === undefined)
    throw unavailable(`no service port ${number} found for service ${JSON.stringify(metadata.name)}`)
  return found.name ?? ''
}

/** An address that somebody wrote by hand is not sent a request: it could be any. */
function isOfPod(
  { ip, targetRef }: { ip: string; targetRef?: { kind?: string; name?: string } },
  asked: Asked,
): boolean {
  const pods = findResource('', 'v1', 'pods')
  if (pods === undefined || targetRef?.kind !== 'Pod' || targetRef.name === undefined) return false
  const pod = asked.store.get(pods, asked.namespace, targetRef.name) as Pod | undefined
  const addresses = pod?.status?.podIPs ?? []
  return addresses.some((one) => canonicalAddress(one.ip) === canonicalAddress(ip))
}

/** The list from a random item on, to its end and from its start. */
function rotated<Item>(list: readonly Item[], random: (below: number) => number): readonly Item[] {
  const first = list.length < 2 ? 0 : random(list.length)
  return [...list.slice(first), ...list.slice(0, first)]
}

function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message)
}

/** The 503 Status of a request that did not reach the pod. */
export function notReached(why: string): StatusError {
  return unavailable(`error trying to reach service: ${why}`)
}
