import fc from 'fast-check'
import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Flow, Hop } from '../../src/packets/types.js'
import type { CheckResult, LabEvent, LabResult, StepResult, TopologyView } from '../../src/results/events.js'
import { codePoint } from '../codePoint.js'

/** Text with everything that can break a format: escapes, quotes, directives, YAML and XML syntax, unusual Unicode. */
export const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 12 }),
  fc
    .array(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      { maxLength: 6 },
    )
    .map((units) => units.join('')),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\u001b[31m',
          '\u009b2J',
          '\u0000',
          '\r',
          '\n',
          '\t',
          '#',
          '\\',
          ' {',
          '{',
          '}',
          '# SKIP',
          '# TODO x',
          ']]>',
        ],
        ...[
          '---',
          '...',
          '  ...',
          'ok 1',
          '1..0',
          'Bail out!',
          '# Subtest: x',
          '&',
          '<',
          '>',
          '"',
          "'",
          ': ',
          '- ',
          '|',
        ],
        ...[
          '\ud800',
          '\uffff',
          '\u202e',
          '\u2028',
          'é',
          '漢字',
          '🙂',
          ' ',
          'no',
          '1e3',
          '<<',
          '!!str',
          '*a',
          '&a',
        ],
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

const milliseconds = fc.double({ min: 0, max: 1e6, noNaN: true })
const socket: fc.Arbitrary<SocketAddress> = fc.oneof(
  fc.record({ address: anyText }),
  fc.record({ address: anyText, port: fc.nat(65535) }),
)
const rewritten = fc.oneof(
  fc.record({ source: socket }),
  fc.record({ destination: socket }),
  fc.record({ source: socket, destination: socket }),
)
const hopFields = {
  netns: anyText,
  interface: anyText,
  direction: fc.constantFrom('in' as const, 'out' as const),
  at: milliseconds,
  source: socket,
  destination: socket,
}
const hop: fc.Arbitrary<Hop> = fc.oneof(fc.record(hopFields), fc.record({ ...hopFields, rewritten }))
const nat = fc.record({
  kind: fc.constantFrom('DNAT' as const, 'SNAT' as const),
  netns: anyText,
  from: socket,
  to: socket,
})
const flow: fc.Arbitrary<Flow> = fc.record({
  protocol: fc.constantFrom('tcp' as const, 'udp' as const, 'icmp' as const),
  source: socket,
  destination: socket,
  hops: fc.array(hop, { maxLength: 5 }),
  replyHops: fc.array(hop, { maxLength: 4 }),
  nat: fc.array(nat, { maxLength: 2 }),
  replyNat: fc.array(nat, { maxLength: 2 }),
  outcome: fc.constantFrom('answered' as const, 'refused' as const, 'unanswered' as const),
})

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const check: fc.Arbitrary<CheckResult> = fc.record({
  name: anyText,
  ok: fc.boolean(),
  expected: anyText,
  observed: anyText,
  look: maybe(anyText),
  flow: maybe(fc.nat(3)),
})
const step: fc.Arbitrary<StepResult> = fc.record({
  name: anyText,
  action: anyText,
  from: maybe(anyText),
  ok: fc.boolean(),
  durationMs: milliseconds,
  checks: fc.array(check, { maxLength: 3 }),
  flows: fc.array(flow, { maxLength: 2 }),
  flowCount: fc.nat(300),
  summary: maybe(fc.array(anyText, { maxLength: 2 })),
  why: maybe(
    fc.record({
      sentence: anyText,
      code: maybe(anyText),
      cause: maybe(anyText),
      fix: maybe(anyText),
      command: maybe(anyText),
    }),
  ),
  error: maybe(anyText),
})

const place = { name: anyText, addresses: fc.array(anyText, { maxLength: 2 }) }
const topology: fc.Arbitrary<TopologyView> = fc.record({
  fabric: fc.array(anyText, { maxLength: 2 }),
  nodes: fc.array(
    fc.record({ ...place, zone: maybe(anyText), podCIDRs: fc.array(anyText, { maxLength: 2 }) }),
    {
      maxLength: 4,
    },
  ),
  clients: fc.array(fc.record(place), { maxLength: 3 }),
  pods: fc.array(fc.record({ ...place, namespace: anyText, node: anyText, labels: fc.constant({}) }), {
    maxLength: 3,
  }),
  services: fc.array(
    fc.record({
      name: anyText,
      namespace: anyText,
      type: anyText,
      clusterIPs: fc.array(anyText, { maxLength: 2 }),
      externalIPs: fc.array(anyText, { maxLength: 1 }),
      ports: fc.array(
        fc.record({
          name: maybe(anyText),
          protocol: anyText,
          port: fc.nat(65535),
          targetPort: fc.oneof(fc.nat(65535), anyText),
          nodePort: maybe(fc.nat(65535)),
        }),
        { maxLength: 2 },
      ),
      endpoints: fc.array(anyText, { maxLength: 5 }),
    }),
    { maxLength: 2 },
  ),
})

const result: fc.Arbitrary<LabResult> = fc.record({
  lab: anyText,
  title: anyText,
  ok: fc.boolean(),
  durationMs: milliseconds,
  machine: fc.record({
    kernel: anyText,
    iptables: anyText,
    backend: fc.constantFrom('nft' as const, 'legacy' as const),
    rootless: fc.boolean(),
  }),
  topology,
  steps: fc.array(step, { maxLength: 3 }),
  notices: fc.array(anyText, { maxLength: 2 }),
  error: maybe(anyText),
})

/** The events of up to three labs with any text in them; the last lab may be incomplete. */
export const anyRun: fc.Arbitrary<{ results: LabResult[]; events: LabEvent[]; whole: boolean }> = fc
  .tuple(fc.uniqueArray(result, { maxLength: 3, selector: (each) => each.lab }), fc.boolean(), maybe(anyText))
  .map(([results, whole, summary]) => {
    const events = results.flatMap((each): LabEvent[] => [
      { type: 'lab-start', lab: each.lab, title: each.title, summary },
      ...each.notices.map((message) => ({ type: 'notice', lab: each.lab, message }) as const),
      { type: 'lab-up', lab: each.lab, topology: each.topology, durationMs: 1 },
      ...each.steps.map((one, index) => ({ type: 'step-end', lab: each.lab, index, result: one }) as const),
      { type: 'lab-end', lab: each.lab, result: each },
    ])
    const complete = whole || results.length === 0
    return { results, events: complete ? events : events.slice(0, -1), whole: complete }
  })
