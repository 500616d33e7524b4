import t from 'tap'
import { readOrder, type Order } from '../../src/up/order.js'

const object = { kind: 'Deployment', namespace: 'default', name: 'web' }

const orders: Order[] = [
  { do: 'state' },
  { do: 'proxy-state' },
  { do: 'model' },
  { do: 'apply', files: [{ path: 'a.yaml', text: 'kind: Pod' }] },
  { do: 'delete-files', files: [] },
  { do: 'change', change: { kind: 'scale', object, replicas: 3 } },
  { do: 'change', change: { kind: 'delete', objects: [object], gracePeriodSeconds: 0 } },
  { do: 'change', change: { kind: 'label', objects: [object], values: { a: 'b', gone: null } } },
  { do: 'change', change: { kind: 'patch', object, patch: { spec: { replicas: null } } } },
  { do: 'change', change: { kind: 'restart', object } },
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
      `{"do":"change","change":{"kind":"patch","object":{"kind":"Pod","name":"a"},"patch":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
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
    ['{"do":"change","change":{"kind":"apply","objects":[]}}', /change\.kind/],
    [
      '{"do":"change","change":{"kind":"scale","object":{"kind":"Pod","name":"a"},"replicas":-1}}',
      /replicas/,
    ],
    ['{"do":"change","change":{"kind":"scale","object":{"kind":"Pod","name":""},"replicas":1}}', /name/],
    [
      '{"do":"change","change":{"kind":"restart","object":{"kind":"Deploy","name":"a"}}}',
      /object\.kind: is not a kind/,
    ],
    ['{"do":"change","change":{"kind":"restart","object":{"__proto__":{"name":"a"}}}}', /change\.object/],
  ]
  for (const [line, wrong] of table) {
    const read = readOrder(line)
    t.match('invalid' in read ? read.invalid : 'it was taken', wrong, line)
  }
})
