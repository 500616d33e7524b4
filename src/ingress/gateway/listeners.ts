import type { Gateway, GatewayListener, RouteGroupKind } from '../../cluster/gatewayTypes.js'
import type { Cluster } from '../../cluster/types.js'
import type { Certificate } from '../model.js'
import { tlsSecret } from '../objects/tlsSecret.js'
import type { Fault } from './conditions.js'
import { isGranted } from './grants.js'

/** A listener of a Gateway, and what is wrong with it. */
export interface ServedListener {
  readonly gateway: Gateway
  readonly listener: GatewayListener
  /** `*` where it is for all. */
  readonly hostname: string
  readonly kinds: readonly string[]
  readonly certificate?: { readonly id: string; readonly value: Certificate } | undefined
  /** Why it is not accepted; nothing of it is served then. */
  readonly rejected?: Fault | undefined
  readonly conflict?: Fault | undefined
  /** What it refers to and is not to be had. */
  readonly unresolved?: Fault | undefined
}

const kindsOf: Readonly<Record<string, readonly string[]>> = {
  HTTP: ['HTTPRoute', 'GRPCRoute'],
  HTTPS: ['HTTPRoute', 'GRPCRoute'],
  TLS: ['TLSRoute'],
}

/** The ports of the controller's own: Ingresses are served on them, each by one protocol. */
const ownPorts = new Map([
  [80, ['HTTP']],
  [443, ['HTTPS', 'TLS']],
])

/** The listeners of a Gateway, each with its faults; `open` are the ports that clients can reach, undefined for all. */
export function listenersOf(
  cluster: Cluster,
  gateway: Gateway,
  open?: ReadonlySet<number>,
): ServedListener[] {
  const { listeners } = gateway.spec
  return listeners.map((listener) => {
    const { protocol, tls, allowedRoutes } = listener
    const known = kindsOf[protocol] ?? []
    const asked = allowedRoutes?.kinds ?? []
    const isKnown = ({ group, kind }: RouteGroupKind) =>
      group === 'gateway.networking.k8s.io' && known.includes(kind)
    const unknown = asked.find((kind) => !isKnown(kind))
    const found = protocol === 'HTTPS' ? certificateOf(cluster, gateway, listener) : {}
    const passes = protocol !== 'TLS' || tls?.mode === 'Passthrough'
    return {
      gateway,
      listener,
      hostname: listener.hostname ?? '*',
      kinds: asked.length === 0 ? known : asked.filter(isKnown).map(({ kind }) => kind),
      certificate: found.certificate,
      conflict: conflictOf(listener, listeners),
      rejected:
        known.length === 0
          ? { reason: 'UnsupportedProtocol', message: `protocol ${protocol} is not served` }
          : passes
            ? portFault(listener, open)
            : { reason: 'UnsupportedValue', message: 'TLS is passed through, not terminated, for TLSRoutes' },
      unresolved:
        unknown === undefined
          ? found.fault
          : {
              reason: 'InvalidRouteKinds',
              message: `a listener of protocol ${protocol} has no routes of kind ${unknown.kind}`,
            },
    }
  })
}

/** Whether a listener takes requests at all. */
export function isServed({ rejected, conflict, unresolved, kinds }: ServedListener): boolean {
  const hasCertificate = unresolved === undefined || unresolved.reason === 'InvalidRouteKinds'
  return rejected === undefined && conflict === undefined && hasCertificate && kinds.length > 0
}

function portFault(
  { port, protocol }: GatewayListener,
  open: ReadonlySet<number> | undefined,
): Fault | undefined {
  const fault = (message: string) => ({ reason: 'PortUnavailable', message })
  if (open?.has(port) === false) return fault(`the Service of the controller does not open port ${port}`)
  const own = ownPorts.get(port)
  if (own === undefined || own.includes(protocol)) return undefined
  return fault(`port ${port} of the controller is for ${own.join(' and ')}`)
}

function conflictOf(listener: GatewayListener, all: readonly GatewayListener[]): Fault | undefined {
  const beside = all.filter((other) => other !== listener && other.port === listener.port)
  const isTls = ({ protocol }: GatewayListener) => ['HTTPS', 'TLS'].includes(protocol)
  const other = beside.find((one) => one.protocol !== listener.protocol && !(isTls(one) && isTls(listener)))
  if (other !== undefined)
    return {
      reason: 'ProtocolConflict',
      message: `listener ${other.name} has another protocol on port ${other.port}`,
    }
  const same = beside.find(({ hostname = '' }) => hostname === (listener.hostname ?? ''))
  if (same === undefined) return undefined
  return { reason: 'HostnameConflict', message: `listener ${same.name} has the same host name` }
}

function certificateOf(
  cluster: Cluster,
  gateway: Gateway,
  { tls }: GatewayListener,
): { certificate?: ServedListener['certificate']; fault?: Fault } {
  const own = gateway.metadata.namespace ?? 'default'
  // the first one is shown; a proxy has no use for several of one host
  const [ref] = tls?.certificateRefs ?? []
  if (ref === undefined)
    return { fault: { reason: 'InvalidCertificateRef', message: 'it names no certificate' } }
  const { group = '', kind = 'Secret', name, namespace = own } = ref
  if (group !== '' || kind !== 'Secret')
    return {
      fault: { reason: 'InvalidCertificateRef', message: `a certificate is in a Secret, not in a ${kind}` },
    }
  if (!isGranted(cluster, { kind: 'Gateway', namespace: own }, { group, kind, namespace, name }))
    return {
      fault: {
        reason: 'RefNotPermitted',
        message: `no ReferenceGrant of namespace ${namespace} lets Gateways of ${own} use Secret ${name}`,
      },
    }
  const found = tlsSecret(cluster, namespace, name)
  if (found.problem !== undefined)
    return { fault: { reason: 'InvalidCertificateRef', message: found.problem } }
  return { certificate: { id: `${namespace}/${name}`, value: found.certificate } }
}
