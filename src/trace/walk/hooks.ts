import type { HostRoute } from '../network/host.js'
import { sameSocket } from '../model/packet.js'
import type { TraceState } from '../model/state.js'
import type { End, Hook } from '../model/steps.js'
import { traverseTable, type Verdict } from '../rules/traverse.js'
import type { Choices } from './choices.js'
import { Conntrack, ctStates, rewrite, translated } from './connection.js'
import { endOfVerdict } from './ends.js'
import type { Prepared } from './prepared.js'
import type { Visit } from './visit.js'

/** The tables of all hosts on one path, and their connection tracking. */
export class Hooks {
  readonly #rulesOf: TraceState['rules']
  readonly #choices: Choices
  readonly #indexes: Prepared['indexes']
  readonly #conntracks = new Map<string, Conntrack>()

  constructor({ state: { rules }, indexes }: Pick<Prepared, 'state' | 'indexes'>, choices: Choices) {
    this.#rulesOf = rules
    this.#indexes = indexes
    this.#choices = choices
  }

  /** Evaluates tables at a hook, in this order; undefined if the packet passes. */
  run(visit: Visit, hook: Hook, tables: readonly string[], route?: HostRoute): End | undefined {
    for (const table of tables) {
      if (table === 'conntrack') this.#track(visit, hook)
      else if (table === 'nat') {
        const stopped = this.#nat(visit, hook, route)
        if (stopped) return stopped
      } else {
        const verdict = this.#table(visit, hook, table, route)
        const stopped = verdict && endOfVerdict(verdict, visit.host.name, visit.packet)
        if (stopped) return stopped
      }
    }
    return undefined
  }

  #track(visit: Visit, hook: Hook): void {
    if (visit.tracked === 'untracked') return
    const { host } = visit
    const conntrack = this.#conntracks.get(host.name) ?? new Conntrack()
    this.#conntracks.set(host.name, conntrack)
    visit.tracked = conntrack.track(visit.packet)
    if (this.#rules(visit) !== undefined)
      visit.steps.push({ kind: 'conntrack', hook, state: ctStates(visit.tracked)[0] ?? '' })
  }

  /** The rules of nat for a connection's first packet, the entry of connection tracking for all packets. */
  #nat(visit: Visit, hook: Hook, route: HostRoute | undefined): End | undefined {
    const { tracked, host } = visit
    if (typeof tracked !== 'object') return undefined
    const { connection, direction } = tracked
    const side = hook === 'prerouting' || hook === 'output' ? 'destination' : 'source'
    const before = visit.packet
    let by: 'rule' | 'connection' = 'connection'
    if (direction === 'original' && !connection.answered && !connection.evaluated.has(side)) {
      connection.evaluated.add(side)
      const verdict = this.#table(visit, hook, 'nat', route)
      if (verdict?.kind === 'nat') {
        rewrite(connection, verdict.side, verdict.to)
        by = 'rule'
      } else {
        const stopped = verdict && endOfVerdict(verdict, host.name, visit.packet)
        if (stopped) return stopped
      }
    }
    const to = translated(tracked, side)
    if (to !== undefined && !sameSocket(to, before[side])) {
      visit.packet = { ...visit.packet, [side]: to }
      visit.steps.push({ kind: 'nat', hook, side, by, from: before[side], to })
    }
    if (side === 'source' && !connection.confirmed) {
      connection.confirmed = true
      if (connection.rewritten.size > 0)
        visit.steps.push({ kind: 'entry', original: connection.original, reply: connection.reply })
    }
    return undefined
  }

  #table(visit: Visit, hook: Hook, table: string, route: HostRoute | undefined): Verdict | undefined {
    const tables = this.#rules(visit)
    if (tables === undefined) return undefined
    const { host, out } = visit
    const incoming = hook === 'output' || hook === 'postrouting' ? undefined : visit.in
    const outgoing = hook === 'prerouting' || hook === 'input' ? undefined : out
    return traverseTable(table, {
      // without spreads: called for every rule
      seen: () => ({
        packet: visit.packet,
        hook,
        host,
        tracked: visit.tracked,
        in: incoming,
        out: outgoing,
      }),
      tables,
      indexes: this.#indexes,
      choices: this.#choices,
      record: (step) => void visit.steps.push(step),
      setMark: (mark) => void (visit.packet = { ...visit.packet, mark }),
      untrack: () => void (visit.tracked = 'untracked'),
      masqueradeAddress: () => host.addressOn(out ?? '', route?.via ?? visit.packet.destination.address),
    })
  }

  #rules({ host, packet }: Visit) {
    return this.#rulesOf.get(host.name)?.[packet.family]
  }
}
