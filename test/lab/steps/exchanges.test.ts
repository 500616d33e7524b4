import t from 'tap'
import { exchangesOf } from '../../../src/lab/steps/exchanges.js'
import type { RequestResult } from '../../../src/results/request.js'
import type { Observation } from '../../../src/lab/observation.js'
import type { Flow } from '../../../src/packets/types.js'
import { answer, crossNodeFlow, failure, socket } from '../fixture.js'

function tied(requests: readonly RequestResult[], flows: readonly Flow[]): number[][] {
  const seen: Observation = { from: 'client', requests, flows, ruleCounts: new Map(), conntrack: new Map() }
  return exchangesOf(seen).map((exchange) => exchange.flows.map(({ index }) => index))
}

const from = (port: number) => crossNodeFlow({ source: { address: '172.18.1.2', port } })
const to = (destination: string) => crossNodeFlow({ destination: socket(destination) })
const sentFrom = (port: number) => answer({}, { local: { address: '172.18.1.2', port } })
const sentTo = (text: string) => answer({}, { remote: socket(text) })

t.test('which flows a request caused', async (t) => {
  const table: [string, readonly RequestResult[], readonly Flow[], number[][]][] = [
    ['a lone request caused all', [answer()], [from(1), from(2)], [[0, 1]]],
    ['a lone request whose socket is known', [sentFrom(2)], [from(1), from(2)], [[1]]],
    [
      'a lone request to a known address',
      [sentTo('10.0.0.1:80')],
      [to('10.0.0.2:80'), to('10.0.0.1:80')],
      [[1]],
    ],
    ['its packets went elsewhere', [sentTo('10.0.0.1:80')], [to('10.0.0.2:80')], [[0]]],
    ['a ping', [sentTo('10.0.0.1')], [to('10.0.0.1'), to('10.0.0.2:80')], [[0]]],
    ['by socket, whatever the order', [sentFrom(2), sentFrom(1)], [from(1), from(2)], [[1], [0]]],
    ['a port that comes again, in order', [sentFrom(1), sentFrom(1)], [from(1), from(1)], [[0], [1]]],
    ['in order', [answer(), answer()], [from(1), from(2)], [[0], [1]]],
    [
      'in order, past a straggler',
      [sentTo('10.0.0.1:80'), sentTo('10.0.0.1:80')],
      [to('10.0.0.2:80'), to('10.0.0.1:80'), to('10.0.0.1:80')],
      [[1], [2]],
    ],
    ['what is left goes to those that are left', [sentFrom(2), answer()], [from(1), from(2)], [[1], [0]]],
    ['too few flows prove nothing', [answer(), answer(), answer()], [from(1), from(2)], [[], [], []]],
    ['no flows', [answer()], [], [[]]],
    ['no requests', [], [from(1)], []],
  ]
  for (const [name, requests, flows, expected] of table) t.same(tied(requests, flows), expected, name)
})

t.test(
  'a relay belongs to the request whose server saw its source, and is no flow of the request',
  async (t) => {
    const relays = [from(7), from(8)]
    const seen: Observation = {
      from: 'client',
      requests: [
        answer({ client: '172.18.1.2:8' }, { local: { address: '172.18.1.2', port: 1 } }),
        answer({ client: '172.18.1.2:7' }),
        failure('timeout'),
      ],
      flows: [from(1), ...relays, from(2)],
      relays,
      ruleCounts: new Map(),
      conntrack: new Map(),
    }
    t.same(
      exchangesOf(seen).map(({ flows, relay }) => [flows.map(({ index }) => index), relay?.index]),
      [
        [[0], 2],
        [[], 1],
        [[], undefined],
      ],
    )
  },
)
