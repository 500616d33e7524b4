import t from 'tap'
import { fixesOf, saysOf, webAndCaller, whyIn } from './whyIn.js'

const service = (name: string, spec: string, app = 'web') => `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { ${spec}, selector: { app: ${app} }, ports: [{ port: 80, targetPort: 8080 }] }
---
`
const lab = 'title: x\ntopology: { clients: [client], families: [IPv4, IPv6] }'
const client = { lab, from: 'client' }

t.test('the address of a load balancer that no node announces: the Service is the reason', async (t) => {
  for (const policy of ['Cluster', 'Local']) {
    const spec = `type: LoadBalancer, externalTrafficPolicy: ${policy}`
    const manifests = webAndCaller() + service('lb', spec, 'webb')
    const why = whyIn(t, { ...client, manifests, to: 'http://{lb.external}/' })
    t.equal(why.outcome, 'fails', policy)
    t.match(saysOf(why), [
      policy === 'Local'
        ? /no node has a ready endpoint of it \(externalTrafficPolicy Local\)$/
        : /it has no ready endpoint$/,
      /^no pod in namespace default has the labels app=webb/,
    ])
    t.match(fixesOf(why), [/service\/lb .*"app":"web"/])
  }
})

t.test('an address that a node announces: the request is the reason', async (t) => {
  const spec = 'type: LoadBalancer, externalTrafficPolicy: '
  const ask = (policy: string, to: string, protocol: 'tcp' | 'udp' | 'icmp', mode: 'iptables' | 'ipvs') =>
    whyIn(t, {
      ...{ ...client, to, protocol, options: { mode } },
      manifests: webAndCaller() + service('lb', spec + policy),
    })
  for (const policy of ['Cluster', 'Local']) {
    for (const mode of ['iptables', 'ipvs'] as const) {
      t.match(saysOf(ask(policy, '{lb.external}', 'icmp', mode)), [
        mode === 'iptables'
          ? /^192\.0\.2\.1 is an address of .* ports only \(80\/TCP\), and no host has the address$/
          : /^192\.0\.2\.1 is an address of .* ports only \(80\/TCP\)$/,
      ])
      const udp = ask(policy, '{lb.external}:80', 'udp', mode)
      t.strictSame(
        udp.findings.map(({ code }) => code),
        ['protocol-mismatch'],
      )
      const port = ask(policy, 'http://{lb.external}:81/', 'tcp', mode)
      t.strictSame(saysOf(port), ['Service default/lb has no port 81/TCP; it has 80/TCP'])
      t.strictSame(fixesOf(port), ['call http://192.0.2.1:80/'])
    }
  }
})

t.test('no node may announce the address, although the Service has a ready endpoint', async (t) => {
  const label = 'labels: { node.kubernetes.io/exclude-from-external-load-balancers: "" }'
  const why = whyIn(t, {
    ...{ ...client, to: 'http://{lb.external}/' },
    lab: `title: x\ntopology: { clients: [client], nodes: [{ name: node-a, ${label} }, { name: node-b, ${label} }] }`,
    manifests: webAndCaller() + service('lb', 'type: LoadBalancer'),
  })
  t.match(saysOf(why), [
    /no node announces it: each node that could is not ready, or has the label node\.kubernetes\.io\/exclude/,
  ])
})

t.test('an address of the pool that no Service has, and a port that the Service does not have', async (t) => {
  const manifests = webAndCaller() + service('lb', 'type: LoadBalancer')
  const none = whyIn(t, { ...client, manifests, to: 'http://192.0.2.9/' })
  t.match(saysOf(none), [
    /^192\.0\.2\.9 is in the pool of the load balancer, and no Service has it; .* has 192\.0\.2\.1$/,
  ])
  t.strictSame(fixesOf(none), ['call http://192.0.2.1:80/'])
})

t.test('an external IP needs a route to a node', async (t) => {
  const manifests = webAndCaller() + service('ext', 'externalIPs: [203.0.113.7]')
  const why = whyIn(t, { ...client, manifests, to: 'http://203.0.113.7/' })
  t.match(saysOf(why), [/^203\.0\.113\.7 is an external IP of Service default\/ext: no host has it/])
  t.match(fixesOf(why), [/client -- ip route add 203\.0\.113\.7 via 172\.18\.0\.2$/])
})

t.test('a node port of a single-stack Service that is called over the other family', async (t) => {
  const manifests = webAndCaller() + service('web-single', 'type: NodePort')
  const why = whyIn(t, { ...client, manifests, to: 'http://[fd00:18::2]:{web-single.nodePort}/' })
  t.match(saysOf(why), [/for IPv4 only \(ipFamilyPolicy SingleStack\), and the request uses IPv6$/])
  t.match(fixesOf(why), [/"ipFamilyPolicy":"PreferDualStack"/, /^call http:\/\/172\.18\.0\.2:\d+\//])
  const both = webAndCaller() + service('web-single', 'type: NodePort, ipFamilyPolicy: PreferDualStack')
  t.equal(
    whyIn(t, { ...client, manifests: both, to: 'http://[fd00:18::2]:{web-single.nodePort}/' }).outcome,
    'passes',
  )
})

t.test('externalTrafficPolicy Local on a node without a pod, in each mode', async (t) => {
  const manifests = webAndCaller() + service('local', 'type: NodePort, externalTrafficPolicy: Local')
  const to = 'http://{node-a}:{local.nodePort}/'
  for (const mode of ['iptables', 'nftables', 'ipvs'] as const) {
    const why = whyIn(t, { ...client, manifests, to, options: { mode } })
    t.equal(why.outcome, 'fails', mode)
    t.match(saysOf(why), [
      /^spec\.externalTrafficPolicy is Local, and no ready pod .* on node-a; there are pods on node-b$/,
    ])
    t.match(fixesOf(why), [/^call http:\/\/172\.18\.0\.3:\d+\/$/, /"externalTrafficPolicy":"Cluster"/], mode)
  }
})

const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec:
  ingressClassName: nginx
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web-http, port: { number: 80 } } } }] } }]
---
`

t.test('a header of the PROXY protocol that only one side expects', async (t) => {
  const manifests = webAndCaller() + service('web-http', 'type: ClusterIP') + ingress
  const ask = (proxy: string, from: string, to: string) =>
    whyIn(t, {
      ...{ manifests, from, to },
      lab: `title: x\ntopology: { clients: [client] }\nloadBalancer: { mode: proxy }\ningress: [{ proxy: nginx, ${proxy} }]`,
    })
  const external = 'http://{ingress-nginx-controller.external}/'
  t.equal(ask('proxyProtocol: true', 'client', external).outcome, 'passes')
  const past = ask(
    'proxyProtocol: true',
    'client',
    'http://{node-a}:{ingress-nginx-controller.nodePort.http}/',
  )
  t.match(saysOf(past), [/expects a header of the PROXY protocol .* which only the load balancer sends/])
  t.match(fixesOf(past), [/^call http:\/\/192\.0\.2\.\d+:80\/$/])
  const sent =
    "service: { annotations: { service.beta.kubernetes.io/aws-load-balancer-proxy-protocol: '*' } }"
  const unexpected = ask(sent, 'client', external)
  t.match(saysOf(unexpected), [/^the load balancer sends a header of the PROXY protocol .* expects none/])
  t.match(fixesOf(unexpected), [/aws-load-balancer-proxy-protocol/])
})
