import { fabricPlace } from '../../snapshot/model/state.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { Path, Prediction, RuleStep } from '../../trace/model/steps.js'
import { lastReceiver } from '../../trace/model/lastReceiver.js'

/** One way in which a request ends. */
export interface CellEnd {
  /** `received`: a pod, node or host gets it, and its answer arrives. `leaves`: for a host that was not attached. */
  readonly kind: 'received' | 'refused' | 'unreachable' | 'reset' | 'timeout' | 'leaves' | 'unknown'
  /** Who gets it: `pod default/web-1`; the node or host that refuses or loses it for others. */
  readonly who: string
  /** The address that the receiver sees as client. */
  readonly client?: string | undefined
  /** How likely, from 0 to 1. */
  readonly share: number
  /** One sentence, for what is not received. */
  readonly reason?: string | undefined
  /** The chain whose policy drops it. */
  readonly policy?: string | undefined
}

/** The rule that decides: that rewrites the destination, or refuses. */
export interface DecidingRule {
  readonly place: string
  readonly table: string
  readonly chain: string
  readonly number: number
  readonly spec: string
  readonly owner?: string | undefined
  readonly why?: string | undefined
}

/** What happens to the requests of one cell. */
export interface Cell {
  /** By who gets it; shares are of random choices. */
  readonly ends: readonly CellEnd[]
  /** Why it is not known which of the ends it is; undefined if it is decided. */
  readonly unknown?: string | undefined
  /** Whether further connections of the client go to the same endpoint. */
  readonly affinity: boolean
  readonly rule?: DecidingRule | undefined
  /** The address with which it is sent. */
  readonly sender?: string | undefined
}

/** The cell of a prediction. */
export function cellOf({ paths, complete }: Prediction, snapshot: Snapshot): Cell {
  const ends = new Map<string, CellEnd>()
  let unknown = complete ? undefined : 'there are too many paths'
  for (const path of paths) {
    const one = endOf(path, snapshot)
    const key = `${one.kind} ${one.who} ${one.client}`
    ends.set(key, { ...one, share: (ends.get(key)?.share ?? 0) + one.share })
    if (one.kind === 'unknown') unknown ??= one.reason
  }
  const open = paths.flatMap(({ choices }) => choices).find(({ kind }) => kind === 'unknown')
  // what is not known does not matter where all paths end alike
  if (open !== undefined && ends.size > 1) unknown ??= `${open.place}: ${open.question}`
  const all = [...ends.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, end]) => end)
  const total = all.reduce((sum, { share }) => sum + share, 0)
  const [first] = paths
  return {
    ends: all.map((end) => ({ ...end, share: total === 0 ? end.share : end.share / total })),
    unknown,
    affinity: paths.some(remembers),
    rule: first && decidingRule(first),
    sender: first?.hops[0]?.before.source.address,
  }
}

function endOf(path: Path, snapshot: Snapshot): CellEnd {
  const { end, probability: share } = path
  const receiver = lastReceiver(path)
  if (end.kind === 'answered' && receiver !== undefined)
    return { kind: 'received', who: receiver.name, client: clientOf(path), share }
  // rules for an address of a Service can be left out of what was attached
  if (end.leaves === true || (snapshot.basis === 'attached' && end.place === fabricPlace))
    return { kind: 'leaves', who: end.place, share, reason: end.reason }
  const common = { who: end.place, share, reason: end.reason, policy: end.policy }
  switch (end.caller) {
    case 'connection refused':
      return { ...common, kind: 'refused' }
    case 'unreachable':
    case 'reset':
    case 'timeout':
      return { ...common, kind: end.caller }
    default:
      return { ...common, kind: 'unknown' }
  }
}

function clientOf({ hops, relayed }: Path): string | undefined {
  if (relayed?.path !== undefined) return clientOf(relayed.path)
  return hops.findLast(({ packet }) => packet === 'request')?.after.source.address
}

/** Whether a rule notes the endpoint of the client: of `recent`, or of a set of nftables. */
function remembers({ hops }: Path): boolean {
  return hops.some(
    ({ packet, steps }) =>
      packet === 'request' &&
      steps.some(
        (step) =>
          step.kind === 'rule' &&
          step.holds === 'yes' &&
          (/-m recent .*--set\b/.test(step.spec) || /\b(?:update|add) @affinity/.test(step.spec)),
      ),
  )
}

/** The last rule that rewrites the destination; of what is refused or lost, the rule that does that. */
function decidingRule({ hops, end }: Path): DecidingRule | undefined {
  if (end.rule !== undefined) return ruleOf(end.place, end.rule)
  let found: DecidingRule | undefined
  for (const { packet, place, steps } of hops) {
    if (packet !== 'request') continue
    let rule: RuleStep | undefined
    for (const step of steps) {
      if (step.kind === 'rule' && step.holds === 'yes') rule = step
      if (step.kind === 'nat' && step.side === 'destination' && step.by === 'rule' && rule !== undefined)
        found = ruleOf(place, rule)
    }
  }
  return found
}

function ruleOf(place: string, { table, chain, number, spec, owner, why }: RuleStep): DecidingRule {
  return { place, table, chain, number, spec, owner, why }
}

/** `pod default/web-1 50 %, pod default/web-2 50 % (client 10.244.1.1)`; equal for cells that end alike. */
export function endsText({ ends, sender }: Pick<Cell, 'ends' | 'sender'>): string {
  const received = ends.filter(({ kind }) => kind === 'received')
  const clients = [...new Set(received.map(({ client }) => (client === sender ? 'its own address' : client)))]
  const sees = received.length === 0 ? '' : ` (client: ${clients.join(' or ')})`
  const texts = ends.map(({ kind, who, share }) => {
    const percent = share * 100
    const how = share > 0.9995 ? '' : ` ${percent.toFixed(percent < 10 ? 1 : 0)} %`
    return `${kind === 'received' ? who : endWords[kind]}${how}`
  })
  return `${[...new Set(texts)].join(', ')}${sees}`
}

/** How an end is printed. */
const endWords: Readonly<Record<CellEnd['kind'], string>> = {
  received: 'received',
  refused: 'refused',
  unreachable: 'error: unreachable',
  reset: 'connection reset',
  timeout: 'times out',
  leaves: 'leaves the cluster',
  unknown: 'not known',
}
