import type { KubeObject } from '../../cluster/types.js'
import { onlyPort, sameTuple, tracedSocketText, tupleText } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { objectOfRoute, fieldAt } from './backendCauses.js'
import { callProposal, fieldProposal, hostProposal, type Failure } from './asked.js'
import type { Cause, Proposal } from './types.js'

/** An entry of conntrack from before the rules were what they are: the packet continues it, and no rule of nat is evaluated. */
export function connectionCauses(failure: Failure): Cause[] {
  return failure.path.hops.flatMap(({ place, packet, steps }) => {
    if (packet !== 'request') return []
    const [step] = steps.flatMap((one) =>
      one.kind === 'conntrack' && one.entry !== undefined ? [one.entry] : [],
    )
    if (step === undefined) return []
    const { original, reply } = step
    const edit = (state: TraceState): TraceState => ({
      ...state,
      connections: (state.connections ?? []).filter(
        (one) => one.place !== place || !sameTuple(one.original, original),
      ),
    })
    const { address, port } = original.source
    const argv = `conntrack -D -p udp --orig-src ${address} --orig-port-src ${port?.first ?? ''}`
    const cause: Cause = {
      code: 'stale-conntrack-entry',
      says: `conntrack of ${place} has an entry from earlier packets, ${tupleText(original)} with replies from ${tracedSocketText(reply.source)}: the datagram continues it, and no rule of nat is evaluated`,
      proposals: [hostProposal(failure, place, argv, `conntrack of ${place} has no such entry`, edit)],
    }
    return [cause]
  })
}

/** One side of a connection speaks another protocol than the other: TLS or none, HTTP/2 or HTTP/1.1. */
export function protocolCauses(failure: Failure): Cause[] {
  const { end, packet, by, written, snapshot } = failure
  const { missing } = end
  const { head } = packet
  if (missing?.kind !== 'protocol' || head === undefined) return []
  const begins = head.secure ? 'TLS' : head.http2 === true ? 'HTTP/2' : 'HTTP'
  const receiver = failure.path.receiver?.name ?? end.place
  const speaks = missing.spoken === 'TLS' ? 'TLS' : 'HTTP/1.1 without TLS'
  if (by?.route !== undefined) {
    const object = objectOfRoute(snapshot.model.cluster, by.route)
    const key = Object.keys(object?.metadata.annotations ?? {}).find((name) => protocolAnnotation.test(name))
    const path = key === undefined ? undefined : ['metadata', 'annotations', key.replaceAll('/', '~1')]
    return [
      {
        code: 'backend-protocol-different',
        says: `${by.by} begins its connection with ${begins}, and ${receiver} speaks ${speaks}`,
        object: object && fieldAt(object, key === undefined ? undefined : ['metadata', 'annotations', key]),
        proposals: object && path ? backendProposals(failure, object, path) : [],
      },
    ]
  }
  const [, rest] = /^https?(:\/\/.*)$/i.exec(written.to) ?? []
  const to = rest && `${missing.spoken === 'TLS' ? 'https' : 'http'}${withPort(rest, failure)}`
  const isOther = to !== undefined && to !== written.to
  return [
    {
      code: 'protocol-different',
      says: `the request begins with ${begins}, and the server speaks ${speaks}`,
      proposals: isOther ? [callProposal(failure, to)] : [],
    },
  ]
}

/** The annotations of Ingresses that set what a proxy begins its connections with. */
const protocolAnnotation = /\/(backend-protocol|server-ssl)$/

function backendProposals(failure: Failure, object: KubeObject, path: readonly string[]): Proposal[] {
  const isNamed = path.at(-1)?.endsWith('backend-protocol') === true
  const value = isNamed ? 'HTTP' : 'false'
  return [fieldProposal(failure, object, path, { before: 'HTTPS', after: value, value })]
}

/** The rest of a URL, with the port that its scheme stands for: another scheme has another one. */
function withPort(rest: string, { packet }: Failure): string {
  const [, host = '', path = ''] = /^:\/\/([^/?#]*)(.*)$/.exec(rest) ?? []
  const hasPort = /:\d+$|:\{[^}]*\}$/.test(host)
  return `://${host}${hasPort ? '' : `:${onlyPort(packet.destination.port) ?? ''}`}${path}`
}
