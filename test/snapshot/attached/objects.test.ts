import t from 'tap'
import { readObjects } from '../../../src/snapshot/attached/objects.js'

const text = (content: string, command?: string) => ({ path: 'a.txt', line: 10, text: content, command })
const named = (found: ReturnType<typeof readObjects>) =>
  found?.objects.map(
    ({ object }) => `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
  )

t.test('tables of kubectl have what they show, and say what they hide', async (t) => {
  const found = readObjects(
    text(
      [
        'NAMESPACE   NAME   TYPE       CLUSTER-IP   EXTERNAL-IP   PORT(S)                      AGE   SELECTOR',
        'shop        web    NodePort   10.43.0.7    <none>        80:30080/TCP,53/UDP          1d    app=web,tier=front',
        '',
        'NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE   IP          NODE',
        'shop        web-1   0/1     Running   3          1d    10.42.1.4   n1',
      ].join('\n'),
    ),
  )
  t.strictSame(named(found), ['Service shop/web', 'Pod shop/web-1'])
  const [service, pod] = found?.objects ?? []
  t.match(service?.object, {
    spec: {
      type: 'NodePort',
      clusterIPs: ['10.43.0.7'],
      selector: { app: 'web', tier: 'front' },
      ports: [
        { port: 80, nodePort: 30080, protocol: 'TCP' },
        { port: 53, protocol: 'UDP' },
      ],
    },
  })
  t.ok(service?.hidden.includes('spec.ports[].targetPort'))
  t.notOk(service?.hidden.includes('spec.selector'))
  t.strictSame(service?.at(['spec']), { file: 'a.txt', line: 11 })
  t.match(pod?.object, {
    spec: { nodeName: 'n1' },
    status: { podIPs: [{ ip: '10.42.1.4' }], conditions: [{ type: 'Ready', status: 'False' }] },
  })
})

t.test(
  'lists without kinds, arrays, and JSON values after each other are read; Secrets are not kept',
  async (t) => {
    const list = {
      kind: 'PodList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'a', namespace: 'x' }, spec: {} }],
    }
    t.strictSame(named(readObjects(text(JSON.stringify(list, null, 2)))), ['Pod x/a'])
    const array = [{ kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } }]
    t.strictSame(named(readObjects(text(JSON.stringify(array, null, 2)))), ['Node /n'])
    const dump = `${JSON.stringify(list, null, 2)}\n==== logs ====\n${JSON.stringify(array[0], null, 2)}\n`
    t.strictSame(named(readObjects(text(dump))), ['Pod x/a', 'Node /n'])
    const secret = 'kind: Secret\napiVersion: v1\nmetadata: {name: s}\ndata: {token: aGlkZGVu}\n'
    const found = readObjects(text(secret))
    t.strictSame([found?.objects, [...(found?.others ?? [])]], [[], [['Secret', 1]]])
  },
)

t.test('texts of other kinds are not taken for objects', async (t) => {
  t.equal(readObjects(text('*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n')), undefined)
  t.equal(readObjects(text('{ "not": "closed"')), undefined)
})
