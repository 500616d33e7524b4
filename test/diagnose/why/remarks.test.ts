import t, { type Test } from 'tap'
import { question } from '../../../src/diagnose/question.js'
import { remarks } from '../../../src/diagnose/why/remarks.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { snapshotOf } from '../../../src/snapshot/fromPlan/plannedState.js'
import { onePort } from '../../../src/snapshot/model/packet.js'
import type { KnownConnection } from '../../../src/snapshot/model/state.js'
import { predict } from '../../../src/trace/predict.js'
import { webAndCaller, whyIn, type AskedLab } from './whyIn.js'

const to = 'http://{service/web}/'
const service = (spec = '', metadata = '') => `apiVersion: v1
kind: Service
metadata: { name: web${metadata} }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }]${spec} }
`

function remarksOf(t: Test, asked: AskedLab): string[] {
  const why = whyIn(t, asked)
  t.equal(why.outcome, 'passes')
  return why.remarks.map(({ says }) => says)
}

t.test('nothing is remarked about a usual request, nor about one that fails', async (t) => {
  t.strictSame(remarksOf(t, { manifests: webAndCaller() + service(), to }), [])
  const fails = service(', sessionAffinity: ClientIP').replace('8080', '9090')
  t.match(whyIn(t, { manifests: webAndCaller() + fails, to }), { outcome: 'fails', remarks: [] })
})

t.test('session affinity, if the rules have it', async (t) => {
  for (const mode of ['iptables', 'nftables', 'ipvs'] as const) {
    const spec = ', sessionAffinity: ClientIP, sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } }'
    t.match(
      remarksOf(t, { manifests: webAndCaller() + service(spec), to, options: { mode } }),
      [
        /node-a sends the next connections from 10\.244\.1\.2 to the same endpoint, if each begins within 60 s /,
      ],
      mode,
    )
  }
})

const web = (name: string, node: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: web } }
spec: { nodeName: ${node}, containers: [{ name: web, image: nginx, ports: [{ containerPort: 8080 }] }] }
---
`
const zones = (a: string, b: string) => `title: x
topology:
  nodes:
    - { name: node-a${a === '' ? '' : `, zone: ${a}`} }
    - { name: node-b${b === '' ? '' : `, zone: ${b}`} }
`
const close = ', trafficDistribution: PreferClose'
const auto = ', annotations: { service.kubernetes.io/topology-mode: Auto }'

t.test('hints that select endpoints, or why they do not', async (t) => {
  const two = webAndCaller() + web('web-2', 'node-b')
  const three = two + web('web-3', 'node-a')
  const cases: readonly (readonly [lab: string, manifests: string, says: RegExp])[] = [
    [zones('x', 'y'), two + service(close), /select no .* on node-a: none is for zone x of node-a$/],
    [zones('x', 'y'), three + service(close), /leave 1 of 3 ready .* on node-a: those for zone x$/],
    [zones('', 'y'), two + service(close), /: node-a has no label topology\.kubernetes\.io\/zone$/],
    [zones('', 'y'), three + service(close), /: 1 of 3 ready endpoints have none; an endpoint is on a node/],
    [zones('x', 'y'), two + service('', auto), /leave 1 of 2 ready .* on node-a: those for zone x$/],
    [zones('x', 'y'), three + service('', auto), /3 of 3 .*cannot share 3 endpoints among 2 zones/],
    [zones('x', 'x'), two + service('', auto), /2 of 2 ready .*the controller needs two zones/],
  ]
  for (const [lab, manifests, says] of cases) t.match(remarksOf(t, { lab, manifests, to }), [says])
  const local = two + service(`${close}, internalTrafficPolicy: Local`) + `---\n${web('web-3', 'node-a')}`
  t.strictSame(remarksOf(t, { lab: zones('x', 'y'), manifests: local, to }), [], 'no hints apply')
})

t.test('the address of the other family', async (t) => {
  const lab = 'title: x\ntopology: { families: [IPv4, IPv6] }'
  const manifests = webAndCaller() + service(', ipFamilyPolicy: PreferDualStack')
  t.match(remarksOf(t, { lab, manifests, to }), [/also has fd00:.*, which this request does not use$/])
})

t.test('the source that a pod sees', async (t) => {
  const node = (spec: string) =>
    service(`, type: NodePort${spec}`).replace('port: 80,', 'port: 80, nodePort: 30080,')
  const asked = {
    lab: 'title: x\ntopology: { clients: [client] }',
    from: 'client',
    to: 'http://{node-a}:30080/',
  }
  t.match(remarksOf(t, { ...asked, manifests: webAndCaller() + node('') }), [
    /^the receiver sees the source 172\.18\.0\.2 \(node-a\), not 172\.18\.\S+ of the caller: node-a rewrites it$/,
  ])
  const local = { ...asked, to: 'http://{node-b}:30080/' }
  const manifests = webAndCaller() + node(', externalTrafficPolicy: Local')
  t.strictSame(remarksOf(t, { ...local, manifests }), [])
})

t.test('an entry of conntrack that outlives its endpoint', async (t) => {
  const old = `apiVersion: v1
kind: Pod
metadata: { name: old }
spec: { nodeName: node-b, containers: [{ name: c, image: x, ports: [{ containerPort: 5353, protocol: UDP }] }] }
---
`
  const manifests =
    webAndCaller() + old + service(', clusterIP: 10.96.1.1').replace('port: 80,', 'port: 53, protocol: UDP,')
  const entry =
    'node-a conntrack -I -p udp -t 600 -s 10.244.1.2 -d 10.96.1.1 --sport 4000 --dport 53 --dst-nat 10.244.2.3:5353'
  const asked = { manifests, to: '{service/web}:53', protocol: 'udp', sourcePort: 4000 } as const
  t.match(remarksOf(t, { ...asked, after: [entry] }), [
    /^conntrack of node-a has an entry .* replies from 10\.244\.2\.3:5353: .*, although no EndpointSlice has 10\.244\.2\.3$/,
  ])
})

t.test('an open connection of TCP from the same port', async (t) => {
  const planned = snapshotOf(prepareLab('labs/nodeport'))
  const socket = (address: string, port: number) => ({ address, port: onePort(port) })
  const written = { from: 'client', to: '{node-a}:30080', protocol: 'tcp' } as const
  const says = (known: Partial<KnownConnection>, sourcePort?: number) => {
    const entry: KnownConnection = {
      ...{ place: 'node-a', protocol: 'tcp', answered: true },
      original: { source: socket('172.18.1.2', 4000), destination: socket('172.18.0.2', 30080) },
      reply: { source: socket('10.244.2.99', 80), destination: socket('172.18.0.2', 4000) },
      ...known,
    }
    const snapshot = { ...planned, state: { ...planned.state, connections: [entry] } }
    const asked = question(snapshot, { ...written, sourcePort })
    const { paths } = predict(snapshot.state, asked.from, asked.packet)
    return remarks(asked, paths).filter(({ code }) => code === 'stale-conntrack-entry')
  }
  t.match(says({}, 4000), [
    { says: /, although no EndpointSlice has 10\.244\.2\.99: while .* is not predicted$/ },
  ])
  t.strictSame(says({}), [], 'any free port')
  t.strictSame(says({}, 4001), [], 'another port')
  t.strictSame(says({ closed: true }, 4000), [], 'a connection that is closed')
})

t.test('a slice that the selector does not explain', async (t) => {
  const slice = (address: string) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-old, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: '', port: 8080 }]
endpoints: [{ addresses: [${address}] }]
`
  const other = web('other', 'node-b').replace('app: web', 'app: other')
  const manifests = webAndCaller() + other + service()
  t.match(remarksOf(t, { manifests: manifests + slice('10.244.2.3'), to }), [
    /web-old has 10\.244\.2\.3 of pod default\/other, which the selector of Service default\/web does not match$/,
  ])
  t.strictSame(remarksOf(t, { manifests: manifests + slice('10.244.2.2'), to }), [], 'a pod of the selector')
})
