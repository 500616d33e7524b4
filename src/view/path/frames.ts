import type { SocketAddress } from '../../net/socketAddress.js'
import type { Flow, Hop as SeenHop, Tunnel } from '../../packets/types.js'
import type { FlowPath } from '../report/document.js'
import { onePort, sameTuple, tupleText, type TracedSocket, type Tuple } from '../../snapshot/model/packet.js'
import type { Hook, Hop, Path, RuleStep, Step } from '../../trace/model/steps.js'

/** What a packet meets at one moment of its path. */
export type FrameKind =
  'send' | 'arrive' | 'table' | 'conntrack' | 'balance' | 'route' | 'receive' | 'lost' | 'unknown'

/** A row of the map of netfilter that every host has. */
export type MapRow = 'raw' | 'conntrack' | 'mangle' | 'nat' | 'route' | 'filter'

/** A rule, or the policy of a built-in chain that decides. */
export type ShownRule = RuleStep | Extract<Step, { kind: 'policy' }>

/** One moment of the path of a packet: a page shows one at a time. */
export interface Frame {
  readonly kind: FrameKind
  readonly place: string
  /** Index of its packet on a host: frames of one host and direction have the same. */
  readonly hop: number
  readonly direction: 'request' | 'answer'
  /** The first packet of its connection, as it was sent: what is rewritten is compared with it. */
  readonly original: Tuple
  /** Of captures alone, as the request ended. */
  readonly packet: Hop['packet']
  /** The error or reset that is sent, also inside a packet of a tunnel: `ICMP port unreachable`. */
  readonly named?: string | undefined
  readonly hook?: Hook | undefined
  /** A row that every host has, or a table of nftables: `ip kube-proxy`. */
  readonly row?: string | undefined
  /** A few words for a mark on a time line: `nat`, `route`, `in eth0`. */
  readonly label: string
  /** One sentence. */
  readonly text: string
  /** The packet before and after this moment. */
  readonly before: Tuple
  readonly after: Tuple
  readonly markBefore: number
  readonly markAfter: number
  readonly rules: readonly ShownRule[]
  /** Further facts: about links, and what connection tracking keeps. */
  readonly notes: readonly string[]
}

/** What was captured of a request. */
type SeenFlow = Pick<Flow, 'hops' | 'replyHops' | 'passedOn'> & Partial<Pick<Flow, 'outcome' | 'protocol'>>

const unseen: SeenFlow = { hops: [], replyHops: [] }

/**
 * The moments of a request and its answer, in order: as predicted, then as captured where the prediction ends. The connections
 * of proxies that pass it on stand between the two.
 */
export function framesOfExchange(flow: SeenFlow, known: FlowPath | undefined): Frame[] {
  const { path, beyond, passedOn } =
    known === undefined || 'unknown' in known ? { path: undefined, beyond: flow, passedOn: [] } : known
  const own = [
    ...(path === undefined ? [] : predictedFrames(path)),
    ...capturedFrames(beyond, replyOf(flow)),
  ].map((frame, _, all): Frame => ({ ...frame, original: all[0]?.before ?? frame.before }))
  // of a prediction no packets were seen
  const further = flow.passedOn?.map((one) => one.flow) ?? passedOn.map((): SeenFlow => unseen)
  const inner = further.map((one, index) => (one === undefined ? [] : framesOfExchange(one, passedOn[index])))
  const answer = own.findIndex(({ direction }) => direction === 'answer')
  const split = answer < 0 ? own.length : answer
  return joined([own.slice(0, split), ...inner, own.slice(split)])
}

/** Frames one after the other, with their hosts numbered from 0. */
function joined(parts: readonly (readonly Frame[])[]): Frame[] {
  let hop = -1
  return parts.flatMap((part) => {
    let last: number | undefined
    return part.map((frame) => {
      if (frame.hop !== last) hop += 1
      last = frame.hop
      return { ...frame, hop }
    })
  })
}

/** The moments of a predicted path: those of the request, then those of the answer, or of the error about it. */
function predictedFrames(path: Path): Omit<Frame, 'original'>[] {
  const { hops, error, end } = path
  const answered = hops.findIndex(({ packet }) => packet !== 'request' && packet !== 'tunnel')
  const errors = error?.hops ?? []
  return [
    ...hops.flatMap((hop, index) =>
      framesOfHop(hop, index, answered >= 0 && index >= answered ? 'answer' : 'request', stopAt(path, index)),
    ),
    ...errors.flatMap((hop, index) =>
      framesOfHop(
        { ...hop, named: error?.name },
        hops.length + index,
        'answer',
        index === errors.length - 1 ? stopOfError(end) : undefined,
      ),
    ),
  ]
}

/** Where the path of a packet ends that no program has received. */
type Stop = Pick<Frame, 'kind' | 'label' | 'text'>

/** Ends after which no program has received the packet, in a few words each. */
const losing: Readonly<Partial<Record<Path['end']['kind'], string>>> = {
  dropped: 'dropped',
  rejected: 'rejected',
  unroutable: 'no route',
  unreachable: 'lost',
  refused: 'refused',
}

/** How the packet of a hop ends if no program has received it. */
function stopAt({ hops, receiver, end, error }: Path, index: number): Stop | undefined {
  const hop = hops[index]
  if (hop === undefined || end.later === true) return undefined
  if (index < hops.length - 1) return undefined
  const text = end.reason
  if (hop.place !== end.place) return undefined
  const isRequest = hop.packet === 'request' || hop.packet === 'tunnel'
  if (error !== undefined) return { kind: 'lost', label: losing[end.kind] ?? 'lost', text }
  const isOpen = end.kind === 'untraceable' && hop.out === undefined
  if (isOpen && !(isRequest && receiver !== undefined)) return { kind: 'unknown', label: 'not known', text }
  const label = end.kind === 'refused' && !isRequest ? undefined : losing[end.kind]
  return label === undefined ? undefined : { kind: 'lost', label, text }
}

/** Where the path of an error ends that the caller does not get. */
function stopOfError({ kind, lost, reason }: Path['end']): Stop | undefined {
  if (lost !== undefined) return { kind: 'lost', label: 'lost', text: lost.reason }
  return kind === 'untraceable' ? { kind: 'unknown', label: 'not known', text: reason } : undefined
}

/** The first packet that returned. */
function replyOf({ outcome, protocol }: SeenFlow): Hop['packet'] {
  if (outcome === 'unreachable') return 'error'
  return outcome === 'refused' ? (protocol === 'tcp' ? 'reset' : 'error') : 'answer'
}

/** The moments of packets whose path is not predicted: where they were captured. */
function capturedFrames(
  { hops, replyHops }: Pick<Flow, 'hops' | 'replyHops'>,
  reply: Hop['packet'],
): Omit<Frame, 'original'>[] {
  const seen = [
    ...hops.map((hop) => [hop, 'request'] as const),
    ...replyHops.map((hop) => [hop, 'answer'] as const),
  ]
  const frames: Omit<Frame, 'original'>[] = []
  // below zero: a place of the prediction is another hop
  let hop = 0
  for (const [one, direction] of seen) {
    const last = frames.at(-1)
    const isSame = last?.place === one.netns && last.direction === direction
    if (!isSame) hop -= 1
    const now = seenTuple(one)
    const where = one.direction === 'in' ? 'as it arrives' : 'as it leaves'
    frames.push({
      kind: one.direction === 'in' ? 'arrive' : 'send',
      ...{ place: one.netns, hop, direction, markBefore: 0, markAfter: 0, rules: [] },
      packet: direction === 'answer' ? reply : 'request',
      label: `${one.direction} ${one.interface}`,
      text: `captured on ${one.interface}, ${where}`,
      before: isSame ? last.after : now,
      after: now,
      notes: one.tunnel === undefined ? [] : [tunnelText(one.tunnel)],
    })
  }
  return frames
}

function tunnelText({ source, destination }: Tunnel): string {
  return `inside a VXLAN packet ${source.address} → ${destination.address}`
}

function seenTuple({ source, destination }: SeenHop): Tuple {
  const socket = ({ address, port }: SocketAddress): TracedSocket =>
    port === undefined ? { address } : { address, port: onePort(port) }
  return { source: socket(source), destination: socket(destination) }
}

/** A frame that is not complete yet. */
interface Draft extends Omit<Frame, 'rules' | 'notes' | 'original'> {
  after: Tuple
  markAfter: number
  label: string
  text: string
  readonly rules: ShownRule[]
  readonly notes: string[]
}

function framesOfHop(
  hop: NamedHop,
  index: number,
  direction: Frame['direction'],
  stop: Stop | undefined,
): Draft[] {
  const frames: Draft[] = []
  let tuple = hop.before
  let mark = 0
  const add = (kind: FrameKind, label: string, text: string, at: Pick<Frame, 'hook' | 'row'> = {}): Draft => {
    const draft: Draft = {
      ...{
        kind,
        place: hop.place,
        hop: index,
        direction,
        packet: hop.packet,
        named: hop.named,
        label,
        text,
        ...at,
      },
      ...{ before: tuple, after: tuple, markBefore: mark, markAfter: mark, rules: [], notes: [] },
    }
    frames.push(draft)
    return draft
  }
  if (hop.in === undefined) add('send', 'sends', `${hop.place} sends ${nameOf(hop)}`)
  else add('arrive', `in ${hop.in}`, `${nameOf(hop)} arrives on ${hop.in}`)
  for (const step of hop.steps) {
    const last = frames.at(-1)
    switch (step.kind) {
      case 'rule':
      case 'policy': {
        const row = step.table
        const isSame = last?.kind === 'table' && last.hook === step.hook && last.row === row
        const draft = isSame
          ? last
          : add('table', row, `${row} ${step.hook.toUpperCase()}`, { hook: step.hook, row })
        draft.rules.push(step)
        const marked = step.kind === 'rule' && step.holds === 'yes' ? markOf(step) : undefined
        if (marked !== undefined) draft.markAfter = mark = marked
        break
      }
      case 'conntrack':
        add('conntrack', 'conntrack', conntrackText(step.state), { hook: step.hook, row: 'conntrack' })
        break
      case 'nat': {
        const isOwn = step.by === 'connection'
        const text = step.why ?? 'connection tracking rewrites it: no rule of nat is evaluated'
        const draft =
          isOwn && (last?.kind !== 'conntrack' || last.hook !== step.hook)
            ? add('conntrack', 'conntrack', text, { hook: step.hook, row: 'conntrack' })
            : (last ?? add('table', 'nat', 'nat', { hook: step.hook, row: 'nat' }))
        tuple = draft.after = { ...tuple, [step.side]: step.to }
        break
      }
      case 'balance': {
        const draft = add('balance', 'ipvs', balanceText(step), { hook: step.hook, row: 'ipvs' })
        if (step.to !== undefined) tuple = draft.after = { ...tuple, [step.side]: step.to }
        break
      }
      case 'entry':
        add('conntrack', 'entry', 'connection tracking keeps the connection for the packets that follow', {
          hook: hop.out === undefined ? 'input' : 'postrouting',
          row: 'conntrack',
        }).notes.push(tupleText(step.original), `answer: ${tupleText(step.reply)}`)
        break
      case 'route':
        add('route', 'route', `route to ${step.to}: ${step.route}`, {
          row: 'route',
          hook: hop.in === undefined ? 'output' : 'prerouting',
        })
        break
      case 'link':
        last?.notes.push(step.text)
    }
  }
  const end = frames.at(-1)
  if (end !== undefined && !sameTuple(end.after, hop.after)) tuple = end.after = hop.after
  if (stop !== undefined) add(stop.kind, stop.label, stop.text)
  else if (hop.out === undefined) add('receive', 'received', `${hop.place} receives it`)
  else if (frames.length > 1) add('send', `out ${hop.out}`, `leaves on ${hop.out}`)
  return frames
}

function balanceText({ server, scheduler, by, to }: Extract<Step, { kind: 'balance' }>): string {
  if (to === undefined) return `IPVS: the virtual server ${server} has no real server for new connections`
  return by === 'scheduler'
    ? `IPVS: the scheduler ${scheduler} of ${server} picks a real server`
    : `IPVS: the connection of ${server} rewrites it`
}

/** A packet on a host, of errors with its name. */
type NamedHop = Hop & Pick<Frame, 'named'>

function nameOf({ packet, named }: NamedHop): string {
  if (named !== undefined && packet !== 'tunnel') return named
  switch (packet) {
    case 'request':
      return 'the packet'
    case 'answer':
      return 'the answer'
    case 'reset':
      return 'a reset: nothing listens'
    case 'error':
      return 'an error about the packet'
    case 'tunnel':
      return 'the VXLAN packet'
  }
}

function conntrackText(state: string): string {
  switch (state) {
    case 'NEW':
      return 'a new connection: rules of nat are evaluated once, now'
    case 'ESTABLISHED':
      return 'a known connection: no rule of nat is evaluated'
    default:
      return `connection tracking: ${state}`
  }
}

/** The mark that a rule leaves, as its effect has it: `mark 0x0 ⇒ 0x4000`. */
function markOf({ effect }: RuleStep): number | undefined {
  const [, value] = /mark \S+ ⇒ (0x[\da-f]+|\d+)/i.exec(effect ?? '') ?? []
  return value === undefined ? undefined : Number(value)
}
