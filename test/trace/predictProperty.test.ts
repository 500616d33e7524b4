import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { tracedRequest } from '../../src/diagnose/tracedRequest.js'
import type { Rule } from '../../src/netfilter/rules/model.js'
import { renderRule } from '../../src/netfilter/rules/render.js'
import { editChain } from '../../src/trace/change/editRules.js'
import { onePort } from '../../src/snapshot/model/packet.js'
import type { TracedRule, TraceState } from '../../src/snapshot/model/state.js'
import { parseRule } from '../../src/netfilter/rules/parse.js'
import type { Path } from '../../src/trace/model/steps.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { arbitraryRule } from '../netfilter/rules/arbitraryRule.js'

const lab = planSnapshot('nodeport')
const state = lab.state
const request = tracedRequest(lab.model, {
  ...{ from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' },
})
const packet = firstPacket(state, request)

const chains = [
  ...['raw PREROUTING', 'mangle PREROUTING', 'nat PREROUTING', 'filter FORWARD', 'mangle FORWARD'],
  ...['nat POSTROUTING', 'mangle POSTROUTING', 'filter INPUT'],
]
const chain = fc.constantFrom(...chains)
const placed = fc.array(fc.tuple(chain, arbitraryRule), { minLength: 1, maxLength: 4 })

function withRules(rules: readonly (readonly [string, Rule])[]): TraceState {
  return rules.reduce((next, [where, rule]) => {
    const [table = '', name = ''] = where.split(' ')
    const traced: TracedRule = { rule, spec: renderRule(rule) }
    return editChain(
      next,
      { place: 'node-a', family: 'IPv4', table, chain: name },
      (own) => own && { ...own, rules: [traced, ...own.rules] },
    )
  }, state)
}

t.test('random rules of every match and target: no crash, and the paths are whole', async (t) => {
  let [unknown, stopped] = [0, 0]
  fc.assert(
    fc.property(placed, (rules) => {
      const { paths, complete } = predict(withRules(rules), request.from, packet)
      const open = paths.filter(({ choices }) => choices.some(({ kind }) => kind === 'unknown'))
      unknown += open.length
      stopped += paths.filter(({ end }) => end.kind !== 'answered').length
      const total = paths.reduce((sum, { probability }) => sum + probability, 0)
      const isWhole = open.length > 0 || !complete || Math.abs(total - 1) < 1e-9
      const named = open.every(({ choices }) =>
        choices.every(
          ({ kind, question }) =>
            kind === 'random' || /^\S+ \S+ \d+: .+ \(.+\)$|^which \w+ port it gets \(.+\):$/s.test(question),
        ),
      )
      const ended = paths.every(({ end, probability }) => end.reason !== '' && probability > 0)
      return paths.length > 0 && isWhole && named && ended
    }),
    { numRuns: 500 },
  )
  t.ok(unknown > 0 && stopped > 0, `${unknown} paths with unknown conditions, ${stopped} that do not answer`)
})

t.test('an unknown condition forks the path where its rule is, whatever is before it', async () => {
  const harmless = arbitraryRule.map(({ target: _target, ...rule }): Rule => rule)
  const unknownDrop: Rule = {
    matches: [{ kind: 'unknown', text: '-m time --timestart 10:00:00' }],
    target: { kind: 'DROP' },
  }
  fc.assert(
    fc.property(fc.array(harmless, { maxLength: 3 }), (before) => {
      const rules = [unknownDrop, ...before].map((rule) => ['filter FORWARD', rule] as const)
      const { paths } = predict(withRules(rules), request.from, packet)
      const number = before.length + 1
      const ends = paths.filter(({ choices }) =>
        choices.some(({ question }) => question.startsWith(`filter FORWARD ${number}: --timestart`)),
      )
      const dropped = ends.filter(({ end }) => end.kind === 'dropped' && end.rule?.number === number)
      const passed = ends.filter(({ end }) => end.kind === 'answered')
      return dropped.length > 0 && passed.length > 0
    }),
    { numRuns: 300 },
  )
})

t.test('the index of a long chain leaves out only rules that do not apply', async () => {
  const exact = fc.record({
    destination: fc.constantFrom('172.18.0.2/32', '10.96.0.1/32', '172.18.0.0/16', undefined),
    negated: fc.boolean(),
    // below the ports that the kernel chooses: others would be unknown in answers
    dport: fc.constantFrom(443, 80, undefined),
    mark: fc.integer({ min: 1, max: 15 }),
  })
  const chain = fc.array(exact, { minLength: 120, maxLength: 200 }).map((rules) =>
    rules.map(({ destination, negated, dport, mark }) => {
      const text = [
        ...(destination === undefined ? [] : [`${negated ? '! ' : ''}-d ${destination}`]),
        ...(dport === undefined ? [] : [`-p tcp -m tcp ${negated ? '! ' : ''}--dport ${dport}`]),
        `-j MARK --set-xmark 0x${mark.toString(16)}/0xff`,
      ]
      return ['mangle PREROUTING', parseRule(text.join(' '))] as const
    }),
  )
  const toPort80 = { ...packet, destination: { ...packet.destination, port: onePort(80) } }
  const met = (paths: readonly Path[]) =>
    paths.map(({ end, hops }) => [
      end.kind,
      ...hops.map(({ mark, steps }) => [
        mark,
        ...steps.flatMap((step) => (step.kind === 'rule' && step.holds === 'yes' ? [step.number] : [])),
      ]),
    ])
  const steps = (paths: readonly Path[]) =>
    paths.flatMap(({ hops }) => hops.flatMap((hop) => hop.steps)).length
  fc.assert(
    fc.property(chain, (rules) => {
      const long = withRules(rules)
      const [indexed, every] = [
        predict(long, request.from, toPort80),
        predict(long, request.from, toPort80, { everyRule: true }),
      ]
      return (
        isDeepStrictEqual(met(indexed.paths), met(every.paths)) && steps(indexed.paths) < steps(every.paths)
      )
    }),
    { numRuns: 20 },
  )
})
