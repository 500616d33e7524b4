import t from 'tap'
import { proposalText } from '../../../src/diagnose/why/proposalText.js'
import { othersText, sameCauses } from '../../../src/diagnose/why/outcome.js'
import { fixesOf, saysOf, webAndCaller, whyIn, type AskedLab } from './whyIn.js'

const service = (port: string) => `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [${port}] }
`

const byHand = (port: string, slicePort: string) => `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: [{ ${port} }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ ${slicePort} }]
endpoints: [{ addresses: [10.244.2.2] }]
`

const to = 'http://{service/web}/'

t.test('a targetPort that nothing in the pod listens on', async (t) => {
  for (const port of ['{ port: 80 }', '{ port: 80, targetPort: 9090 }']) {
    const why = whyIn(t, { manifests: webAndCaller() + service(port), to })
    t.match(why, { outcome: 'fails', findings: [{ end: { kind: 'refused', place: 'web' } }] }, port)
    t.match(saysOf(why), [/^nothing listens on tcp port (80|9090) of pod\/web; ports that answer: 8080$/])
    t.match(fixesOf(why), [/"targetPort":8080/])
  }
  t.equal(
    whyIn(t, { manifests: webAndCaller() + service('{ port: 80, targetPort: 8080 }'), to }).outcome,
    'passes',
  )
})

t.test('a policy for another pod does not hide the targetPort', async (t) => {
  const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: p }
spec: { podSelector: { matchLabels: { app: other } }, ingress: [] }
`
  const why = whyIn(t, { manifests: webAndCaller() + service('{ port: 80, targetPort: 9090 }') + policy, to })
  t.match(why, { findings: [{ code: 'targetport-unserved' }] })
  t.match(fixesOf(why), [/"targetPort":8080/])
})

t.test('a named targetPort that no container has, also beside ports that have endpoints', async (t) => {
  for (const mode of ['iptables', 'nftables'] as const) {
    const alone = service('{ port: 80, targetPort: web }')
    const why = whyIn(t, { manifests: webAndCaller() + alone, to, options: { mode } })
    t.match(saysOf(why), [/^no container port of the pods is named "web"; there is "http": /], mode)
    t.match(fixesOf(why), [/patch service\/web .*"targetPort":"http"/], mode)
    const beside = service('{ name: a, port: 81, targetPort: 8080 }, { name: b, port: 80, targetPort: web }')
    t.strictSame(
      saysOf(whyIn(t, { manifests: webAndCaller() + beside, to, options: { mode } })),
      saysOf(why),
      mode,
    )
  }
})

t.test('the other protocol than that of the port', (t) => {
  const udp = ', { containerPort: 8080, protocol: UDP }]'
  const both = webAndCaller().replace('8080 }]', `8080 }${udp}`)
  const fixes = (manifests: string, asked: Pick<AskedLab, 'to' | 'protocol'>) => {
    const { findings } = whyIn(t, { manifests, ...asked })
    t.match(findings, [{ code: 'protocol-mismatch' }])
    return findings.flatMap(({ changes }) => changes.map(({ proposal }) => proposalText(proposal)))
  }
  const asUdp = { to: '{service/web}:80', protocol: 'udp' } as const
  const overTcp = 'call {service/web}:80 over TCP (without --udp)'
  const ofTcp = service('{ port: 80, targetPort: 8080 }')
  t.strictSame(fixes(webAndCaller() + ofTcp, asUdp), [overTcp])
  t.strictSame(fixes(both + ofTcp, asUdp), [
    overTcp,
    'Service default/web: spec.ports also has 80/UDP',
    'Service default/web: spec.ports[0].protocol: TCP → UDP',
  ])
  const ofUdp = service('{ port: 80, targetPort: 8080, protocol: UDP }')
  t.strictSame(fixes(webAndCaller() + ofUdp, { to }), [
    'Service default/web: spec.ports also has 80/TCP',
    'Service default/web: spec.ports[0].protocol: UDP → TCP',
  ])
  t.equal(fixes(both + ofUdp, { to })[0], 'call 10.96.1.1:80 over UDP (with --udp)')
  const nodePort = service('{ port: 80, targetPort: 8080, nodePort: 30080 }').replace(
    '{ sel',
    '{ type: NodePort, sel',
  )
  const onNode = fixes(both + nodePort, { to: '{node-a}:30080', protocol: 'udp' })
  t.equal(onNode[1], 'Service default/web: spec.ports also has 80/UDP')
  const taken = service('{ name: udp-80, port: 80, targetPort: 8080 }')
  t.equal(fixes(both + taken, asUdp)[1], 'Service default/web: spec.ports also has 80/UDP')
  t.end()
})

t.test('a port for the called protocol has another node port', (t) => {
  const dns = service(
    '{ name: t, port: 80, targetPort: 8080, nodePort: 30053 }, { name: u, port: 80, protocol: UDP, targetPort: 8080, nodePort: 30086 }',
  ).replace('{ sel', '{ type: NodePort, sel')
  const both = webAndCaller().replace('8080 }]', '8080 }, { containerPort: 8080, protocol: UDP }]')
  const { findings } = whyIn(t, { manifests: both + dns, to: '{node-a}:30053', protocol: 'udp' })
  t.strictSame(
    findings.flatMap(({ changes }) => changes.map(({ proposal }) => proposalText(proposal))),
    [
      'call {node-a}:30053 over TCP (without --udp)',
      'call 172.18.0.2:30086, the node port of Service default/web for UDP',
    ],
  )
  t.end()
})

t.test('another node port: the path and the query remain', (t) => {
  const nodePort = service('{ port: 80, targetPort: 8080, nodePort: 30080 }').replace(
    '{ sel',
    '{ type: NodePort, sel',
  )
  const why = whyIn(t, { manifests: webAndCaller() + nodePort, to: 'http://{node-a}:30081/healthz?x=1' })
  t.equal(fixesOf(why)[0], 'call http://172.18.0.2:30080/healthz?x=1')
  t.end()
})

t.test('a slice whose port has another name than the port of the Service', async (t) => {
  const cases: readonly (readonly [port: string, slicePort: string, says: RegExp])[] = [
    ['port: 80', 'name: http, port: 8080', /is without a name \(TCP\), and .*web-1 has "http" \(TCP\)/],
    ['name: http, port: 80', 'port: 8080', /is "http" \(TCP\), and .*web-1 has without a name \(TCP\)/],
    ['name: http, port: 80', 'name: web, port: 8080', /is "http" \(TCP\), and .*web-1 has "web" \(TCP\)/],
    ['port: 80', 'port: 8080, protocol: UDP', /without a name \(TCP\), and .* without a name \(UDP\)/],
  ]
  for (const [port, slicePort, says] of cases) {
    const why = whyIn(t, { manifests: webAndCaller() + byHand(port, slicePort), to })
    t.equal(why.outcome, 'fails', port)
    t.match(saysOf(why), [says])
    t.match(fixesOf(why)[0], /patch endpointslice\/web-1 -p/)
  }
  t.equal(whyIn(t, { manifests: webAndCaller() + byHand('port: 80', 'port: 8080'), to }).outcome, 'passes')
})

t.test('Endpoints are changed instead of the slice that mirrors them', async (t) => {
  const endpoints = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Endpoints
metadata: { name: web }
subsets: [{ addresses: [{ ip: 10.244.2.2 }], ports: [{ name: http, port: 8080 }] }]
`
  const why = whyIn(t, { manifests: webAndCaller() + endpoints, to })
  t.match(saysOf(why), [/web-\w+ has "http" \(TCP\): kube-proxy joins ports by name and protocol$/])
  t.match(fixesOf(why), [/patch service\/web -p .*"name":"http"/])
})

t.test('of more endpoints than are explained, the list says that it is not whole', (t) => {
  const pods = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      webAndCaller().split('---\n')[0]?.replace('name: web, labels', `name: web-${index}, labels`),
    ).join('---\n')
  const caller = webAndCaller().split('---\n')[1] ?? ''
  const found = (count: number) =>
    whyIn(t, { manifests: [pods(count), caller, service('{ port: 80 }')].join('---\n'), to })
  for (const [count, complete, others] of [
    [3, true, / \(the same for web-\d, web-\d\)$/],
    [6, false, / \(the same for web-\d, web-\d, web-\d, …\)$/],
  ] as const) {
    const why = found(count)
    t.equal(why.complete, complete)
    const [same = []] = sameCauses(why.findings)
    t.match(othersText(same, why.complete), others)
  }
  t.end()
})
