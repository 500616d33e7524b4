import type { HostRoute } from '../network/host.js'
import { samePorts, sameSocket, type TracedPacket, type TracedSocket } from '../../snapshot/model/packet.js'
import type { KnownConnection, TraceState } from '../../snapshot/model/state.js'
import type { End, Hook } from '../model/steps.js'
import { HostState } from '../rules/hostState.js'
import { sourcePorts } from '../rules/translate.js'
import type { Traversal } from '../rules/traverse.js'
import { Balancer, isBalanced } from './balancer.js'
import type { Choices } from './choices.js'
import { chosenZone, Conntrack, ctStates, rewrite, translated } from './connection.js'
import { endOfVerdict, exhausted, kernelDrop, portTaken } from './ends.js'
import type { Prepared } from './prepared.js'
import { natPriority, type Evaluate, type Stage } from './stages.js'
import type { Visit } from './visit.js'

/** The tables of all hosts on one path, and their connection tracking. */
export class Hooks {
  readonly #state: TraceState
  readonly #balancer: Balancer
  readonly #choices: Choices
  readonly #stages: Prepared['stages']
  readonly #indexes: Prepared['indexes']
  readonly #known: readonly KnownConnection[]
  readonly #conntracks = new Map<string, Conntrack>()
  readonly #states = new Map<string, HostState>()

  constructor({ state, stages, indexes }: Pick<Prepared, 'state' | 'stages' | 'indexes'>, choices: Choices) {
    this.#state = state
    this.#balancer = new Balancer(state, choices)
    this.#known = state.connections ?? []
    this.#stages = stages
    this.#indexes = indexes
    this.#choices = choices
  }

  /** Runs a function whose changes of the state of hosts are forgotten. */
  withState<Result>(run: () => Result): Result {
    const before = new Map(this.#states)
    for (const [place, state] of before) this.#states.set(place, state.copy())
    const result = run()
    this.#states.clear()
    for (const [place, state] of before) this.#states.set(place, state)
    return result
  }

  /** Evaluates the tables and chains at a hook, or those on one side of NAT, by priority; undefined if the packet passes. */
  run(
    visit: Visit,
    hook: Hook,
    part: 'all' | 'upToNat' | 'afterNat' = 'all',
    route?: HostRoute,
  ): End | undefined {
    for (const stage of this.#stages.at(visit.host.name, hook, visit.packet.family)) {
      if (part !== 'all' && stage.priority <= natPriority !== (part === 'upToNat')) continue
      const ended = this.#pass(stage, visit, hook, route)
      // what IPVS takes meets no other rule at this hook
      if (ended !== undefined || visit.stolen === true) return ended
    }
    return undefined
  }

  #pass(stage: Stage, visit: Visit, hook: Hook, route: HostRoute | undefined): End | undefined {
    if (stage.kind === 'balance') return this.#balancer.run(stage.part, visit, hook)
    if (stage.kind === 'nat') return this.#nat(visit, hook, route, stage.lookups)
    if (stage.kind === 'conntrack') {
      this.#track(visit, hook)
      return undefined
    }
    const verdict = stage.evaluate(this.#traversal(visit, hook, route))
    return verdict && endOfVerdict(verdict, visit.host.name, visit.packet)
  }

  #track(visit: Visit, hook: Hook): void {
    // a packet over the loopback interface keeps its connection
    if (visit.tracked !== undefined) return
    const { host } = visit
    const conntrack =
      this.#conntracks.get(host.name) ??
      new Conntrack(
        this.#known.filter(({ place }) => place === host.name),
        (known) => isBalanced(this.#state, known),
      )
    this.#conntracks.set(host.name, conntrack)
    visit.tracked = conntrack.track(
      visit.packet,
      visit.template && chosenZone(visit.template, visit.packet.mark),
    )
    visit.template = undefined
    if (!this.#hasRules(visit)) return
    const own = visit.tracked?.direction === 'original' ? visit.tracked.connection : undefined
    const entry = own?.earlier === true && { original: own.original, reply: own.reply }
    const state = ctStates(visit.tracked)[0] ?? ''
    visit.steps.push({ kind: 'conntrack', hook, state, ...(entry && { entry }) })
  }

  /** The rules of nat for a connection's first packet, the entry of connection tracking for all packets. */
  #nat(
    visit: Visit,
    hook: Hook,
    route: HostRoute | undefined,
    lookups: readonly Evaluate[],
  ): End | undefined {
    const { tracked, host } = visit
    if (typeof tracked !== 'object') return undefined
    const { connection, direction } = tracked
    const side = hook === 'prerouting' || hook === 'output' ? 'destination' : 'source'
    const before = visit.packet
    const rewriteBy = (by: 'rule' | 'connection', why?: string) => {
      const [from, to] = [visit.packet[side], translated(tracked, side)]
      if (to === undefined || sameSocket(to, from)) return
      if (visit.packet.kind === 'error') visit.packet = translatedError(visit.packet, side, to)
      else visit.packet = { ...visit.packet, [side]: to }
      const rewritten = visit.packet[side]
      // of an error, only the port of the packet that it is about may have changed
      if (sameSocket(rewritten, from)) return
      visit.steps.push({
        ...{ kind: 'nat', hook, side, by, from, to: rewritten },
        ...(why !== undefined && { why }),
      })
    }
    const isFirst = direction === 'original' && !connection.answered && !connection.evaluated.has(side)
    if (isFirst) {
      connection.evaluated.add(side)
      for (const evaluate of lookups) {
        const verdict = evaluate(this.#traversal(visit, hook, route))
        if (verdict?.kind === 'nat') {
          if (
            verdict.side === 'source' &&
            this.#conntracks.get(host.name)?.isExhausted(connection, verdict.to)
          ) {
            // the kernel rewrites the packet, and drops it when it enters the connection
            visit.packet = { ...visit.packet, source: verdict.to }
            visit.steps.push({ kind: 'nat', hook, side, by: 'rule', from: before.source, to: verdict.to })
            const { address } = verdict.to
            const missing = { kind: 'sourcePort', address } as const
            return kernelDrop(visit, { reason: exhausted(connection, verdict.to), missing })
          }
          rewrite(connection, verdict.side, verdict.to)
          rewriteBy('rule')
          // chains after the one that decides are not evaluated
          break
        }
        const stopped = verdict && endOfVerdict(verdict, host.name, visit.packet)
        if (stopped) return stopped
      }
    }
    rewriteBy('connection')
    const { source } = visit.packet
    // without chains of nat, the kernel's NAT is not there
    const isKept = isFirst && side === 'source' && lookups.length > 0 && samePorts(source, before.source)
    if (isKept && this.#conntracks.get(host.name)?.isTaken(connection) === true) {
      rewrite(connection, side, { ...source, port: source.port && sourcePorts(source.port) })
      rewriteBy('connection', portTaken(connection))
    }
    if (side === 'source' && !connection.confirmed && direction === 'original') {
      connection.confirmed = true
      const { rewritten, original, reply } = connection
      if (rewritten.size > 0 || !sameSocket(reply.source, original.destination))
        visit.steps.push({ kind: 'entry', original, reply })
    }
    return undefined
  }

  #traversal(visit: Visit, hook: Hook, route: HostRoute | undefined): Traversal {
    const { host, out } = visit
    const state = this.#stateOf(host.name)
    const bridged = visit.port !== undefined && host.filtersBridges(visit.packet.family)
    const incoming = hook === 'output' || hook === 'postrouting' ? undefined : visit.in
    const outgoing = hook === 'prerouting' || hook === 'input' ? undefined : out
    return {
      // without spreads: called for every rule
      seen: () => ({
        packet: visit.packet,
        hook,
        host,
        tracked: visit.tracked,
        template: visit.template,
        isSent: visit.in === undefined,
        in: incoming,
        out: outgoing,
        balanced: visit.balanced,
        state,
        bridged,
      }),
      indexes: this.#indexes,
      choices: this.#choices,
      record: (step) => void visit.steps.push(step),
      setTtl: (ttl) => void (visit.packet = { ...visit.packet, ttl }),
      setMark: (mark) => void (visit.packet = { ...visit.packet, mark }),
      // after connection tracking, and over the loopback interface, a packet keeps its connection (notrack_tg of Linux)
      untrack: () => {
        if (visit.template === undefined) visit.tracked ??= 'untracked'
      },
      choose: (template, isNative) => {
        // nft also tracks what a rule before has excepted (nft_ct_set_zone_eval of Linux)
        if (isNative && visit.tracked === 'untracked') visit.tracked = undefined
        if (visit.tracked === undefined) visit.template ??= template
      },
      masqueradeAddress: () => host.addressOn(out ?? '', route?.via ?? visit.packet.destination.address),
    }
  }

  #stateOf(place: string): HostState {
    const known = this.#states.get(place)
    if (known !== undefined) return known
    const made = new HostState(
      this.#state.recent?.get(place),
      this.#state.sets?.get(place),
      this.#state.connections === undefined,
    )
    this.#states.set(place, made)
    return made
  }

  #hasRules({ host, packet }: Visit): boolean {
    const { rules, nft } = this.#state
    return rules.get(host.name)?.[packet.family] !== undefined || nft.has(host.name)
  }
}

/** An error with one side rewritten, and the other side of the packet that it is about (nf_nat_icmp_reply_translation of Linux). */
function translatedError(
  packet: TracedPacket,
  side: 'source' | 'destination',
  to: TracedSocket,
): TracedPacket {
  const other = side === 'source' ? 'destination' : 'source'
  const about = packet.about && { ...packet.about, [other]: to }
  return { ...packet, [side]: { address: to.address }, about }
}
