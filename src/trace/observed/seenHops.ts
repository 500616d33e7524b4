import { observerChainOf, observerTable } from '../../netfilter/trace/observer.js'
import type { PacketHeader } from '../../netfilter/trace/header.js'
import type { TraceMessage } from '../../netfilter/trace/types.js'
import type { KernelRules } from '../../netfilter/trace/ruleHandles.js'
import type { Hook } from '../model/steps.js'
import type { SeenHop, SeenPolicy, SeenRule } from './model.js'

/** What is known of a namespace besides its messages. */
export interface SeenPlace {
  readonly place: string
  readonly rules: KernelRules
  /** Names of interfaces by index. */
  readonly interfaces: ReadonlyMap<number, string>
}

/** A hop while its messages are read. */
interface Growing {
  readonly before: PacketHeader
  readonly in: number | undefined
  after: PacketHeader
  out: number | undefined
  end: SeenHop['end']
  hook: Hook
  /** The last base chain of a table, for the policy that ends it. */
  readonly hooks: Hook[]
  readonly rules: SeenRule[]
  readonly policies: SeenPolicy[]
  mark: number
  state: SeenHop['state']
}

/**
 * The packets that have passed a namespace, in the order in which they came: messages with one id since the observer’s
 * chain at the first hook, because ids are reused. The id of an answer changes where NAT rewrites it; its sequence number
 * does not.
 */
export function seenHops(
  messages: readonly TraceMessage[],
  { place, rules, interfaces }: SeenPlace,
): SeenHop[] {
  const all: Growing[] = []
  const open = new Map<number, Growing>()
  for (const message of messages) {
    const own = message.table === observerTable ? observerChainOf(message.chain) : undefined
    const header = message.packet?.header
    const enters = own?.end === 'first' && (own.hook === 'prerouting' || own.hook === 'output')
    const last = message.id === undefined ? undefined : open.get(message.id)
    if (enters && header !== undefined && !isBalanced(last, own.hook, header)) {
      const begun = begin(message, header, own.hook)
      all.push(begun)
      if (message.id !== undefined) open.set(message.id, begun)
      continue
    }
    const hop = last ?? (header && all.findLast((one) => continues(one, header)))
    if (hop === undefined) continue
    if (message.id !== undefined) open.set(message.id, hop)
    extend(hop, message, own, rules)
    if (hop.end !== 'lost' && message.id !== undefined) open.delete(message.id)
  }
  return all.map(({ in: incoming, out, hook: _hook, ...hop }) => ({
    ...hop,
    place,
    in: nameOf(interfaces, incoming),
    out: hop.end === 'left' ? nameOf(interfaces, out) : undefined,
  }))
}

function begin({ packet, mark }: TraceMessage, header: PacketHeader, hook: Hook): Growing {
  return {
    ...{ before: header, after: header, in: hook === 'prerouting' ? packet?.in : undefined, out: undefined },
    ...{ end: 'lost', hook, hooks: [hook], rules: [], policies: [], mark, state: packet?.connection?.state },
  }
}

function extend(
  hop: Growing,
  message: TraceMessage,
  own: ReturnType<typeof observerChainOf>,
  rules: KernelRules,
): void {
  const { packet, mark, family, table, chain, handle, number, verdict, policy } = message
  hop.mark = mark
  hop.after = packet?.header ?? hop.after
  hop.out = packet?.out ?? hop.out
  // connection tracking is after raw, where a target can attach a template
  if (table !== 'raw') hop.state ??= packet?.connection?.state
  if (own !== undefined) {
    if (hop.hook !== own.hook) hop.hooks.push(own.hook)
    hop.hook = own.hook
    if (own.end === 'last' && own.hook === 'postrouting') hop.end = 'left'
    if (own.end === 'last' && own.hook === 'input') hop.end = 'delivered'
    return
  }
  const at = { hook: hop.hook, family, table, chain }
  const rule = rules.rule({ ...at, handle, number })
  // for iptables-legacy, the end of a chain has the position after the last rule
  const isRule = message.type === 'rule' || (number !== undefined && rule !== undefined)
  if (!isRule && message.type === 'policy')
    hop.policies.push({ ...at, policy: policy ?? rules.policy(at) ?? 'accept' })
  // the end of a chain of nftables is reported as a rule without a handle
  if (!isRule || (handle === undefined && number === undefined)) return
  const text = [verdict?.kind, verdict?.chain].filter((word) => word !== undefined).join(' ')
  hop.rules.push({ ...at, handle, ...rule, verdict: text, mark })
}

/** Whether IPVS sends the packet through OUTPUT, with its new destination: from INPUT, or from OUTPUT itself. */
function isBalanced(last: Growing | undefined, hook: Hook, header: PacketHeader): boolean {
  return (
    hook === 'output' &&
    last?.end === 'lost' &&
    (last.hook === 'input' || last.hook === 'output') &&
    last.after.protocol === header.protocol &&
    identityOf(last.after) === identityOf(header) &&
    last.after.destination.address !== header.destination.address
  )
}

/** Whether a packet under a new id is one whose last hook is not reported yet. */
function continues({ end, after }: Growing, header: PacketHeader): boolean {
  return end === 'lost' && after.protocol === header.protocol && identityOf(after) === identityOf(header)
}

/** What NAT does not change. */
function identityOf({ tcp, icmp, identification, source, destination }: PacketHeader): string {
  if (tcp !== undefined) return `${tcp.sequence} ${tcp.syn} ${tcp.ack} ${tcp.rst}`
  if (icmp !== undefined) return `${icmp.type} ${icmp.code} ${identification}`
  return `${identification ?? `${source.address} ${destination.address}`}`
}

function nameOf(interfaces: ReadonlyMap<number, string>, index: number | undefined): string | undefined {
  return index === undefined ? undefined : (interfaces.get(index) ?? `interface ${index}`)
}
