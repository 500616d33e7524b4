import t from 'tap'
import { readOrder, type Order } from '../../src/up/order.js'

const ref = { kind: 'Deployment', namespace: 'default', name: 'web' }

const orders: Order[] = [
  { do: 'state' },
  { do: 'proxy-state' },
  { do: 'model' },
  { do: 'apply', files: [{ path: 'a.yaml', text: 'kind: Pod' }] },
  { do: 'delete-files', files: [] },
  { do: 'write', writes: [{ verb: 'scale', ref, replicas: 3 }] },
  { do: 'write', writes: [{ verb: 'delete', ref, gracePeriodSeconds: 0 }] },
  { do: 'write', writes: [{ verb: 'label', ref, values: { a: 'b', gone: null } }] },
  { do: 'write', writes: [{ verb: 'patch', ref, patch: { spec: { replicas: null } } }] },
  { do: 'write', writes: [{ verb: 'restart', ref }] },
  { do: 'node', node: 'node-a', state: 'down' },
  { do: 'restart-kube-proxy', node: 'node-a' },
  { do: 'exercise', part: 'checks' },
  { do: 'settle', timeoutMs: 30_000 },
]

t.test('every order is read as it was written', async (t) => {
  for (const order of orders) t.strictSame(readOrder(JSON.stringify(order)), order)
})

t.test('what is no order is rejected with what is wrong', async (t) => {
  const table: [string, RegExp][] = [
    ['', /one line of JSON/],
    ['not json', /one line of JSON/],
    [
      `{"do":"write","writes":[{"verb":"patch","ref":{"kind":"Pod","name":"a"},"patch":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`,
      /nested deeper than 500 levels/,
    ],
    ['null', /not valid/],
    ['[]', /not valid/],
    ['{}', /not valid/],
    ['{"do":"exit"}', /not valid/],
    ['{"do":"node","node":"a","state":"sideways"}', /state/],
    ['{"do":"node","state":"up"}', /node/],
    ['{"do":"state","more":1}', /more/],
    ['{"do":"settle","timeoutMs":1e12}', /timeoutMs/],
    ['{"do":"settle","timeoutMs":"1"}', /timeoutMs/],
    ['{"do":"apply","files":[{"path":"a","text":7}]}', /files\.0\.text/],
    ['{"do":"write","writes":[{"verb":"apply","manifest":{}}]}', /writes\.0\.verb/],
    ['{"do":"write","writes":[{"verb":"scale","ref":{"kind":"Pod","name":"a"},"replicas":-1}]}', /replicas/],
    ['{"do":"write","writes":[{"verb":"scale","ref":{"kind":"Pod","name":""},"replicas":1}]}', /name/],
    [
      '{"do":"write","writes":[{"verb":"restart","ref":{"kind":"Deploy","name":"a"}}]}',
      /ref\.kind: is not a kind/,
    ],
    ['{"do":"write","writes":[{"verb":"restart","ref":{"__proto__":{"name":"a"}}}]}', /writes\.0\.ref/],
  ]
  for (const [line, wrong] of table) {
    const read = readOrder(line)
    t.match('invalid' in read ? read.invalid : 'it was taken', wrong, line)
  }
})
