import t from 'tap'
import { fixesOf, saysOf, whyIn } from '../diagnose/why/whyIn.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { headline, observedHeadline } from '../../src/diagnose/headline.js'
import { observedWhy } from '../../src/diagnose/observedWhy.js'
import { question } from '../../src/diagnose/question.js'
import { limitsOf } from '../../src/diagnose/why/remarks.js'
import { causesIn } from '../../src/diagnose/why/whyRequest.js'
import { callerGot, type Outcome, type RequestResult } from '../../src/results/request.js'
import { createColours } from '../../src/text/colour.js'
import type { End } from '../../src/trace/model/steps.js'
import { withCaller } from '../../src/trace/observed/callerDifference.js'
import type { TraceComparison } from '../../src/trace/observed/compare.js'
import { predict } from '../../src/trace/predict.js'
import { observedText } from '../../src/trace/text/observedText.js'
import { tracedTo } from './tracedTo.js'

const plain = { lab: 'nodeport', from: 'client', to: 'https://{node-a}:30080/' }
const endsOf = (asked: Parameters<typeof tracedTo>[0]) => tracedTo(asked).paths.map(({ end }) => end)
const httpsEnd = {
  ...{ kind: 'refused', caller: 'protocol error', missing: { kind: 'protocol', spoken: 'HTTP/1.1' } },
  reason: / speaks HTTP without TLS: the TLS handshake fails$/,
}

t.test('TLS fails at a pod that speaks plain HTTP: the connection opens', (t) => {
  const { paths } = tracedTo(plain)
  t.equal(paths.length, 2)
  for (const path of paths) {
    t.match(path.end, httpsEnd)
    t.match(path.receiver, { known: true })
    t.equal(path.hops.at(-1)?.packet, 'answer', 'the answer to the first packet arrives')
    t.match(path.relayed?.end, { kind: 'answered' })
  }
  const asked = question(planSnapshot('nodeport', {}), { ...plain, protocol: 'tcp' })
  t.match(headline(asked, causesIn(asked, tracedTo(plain))), { mark: '✗' })
  t.ok(endsOf({ ...plain, to: 'http://{node-a}:30080/' }).every(({ kind }) => kind === 'answered'))
  t.end()
})

t.test('the health checks of a node have an answer for each path, and no TLS', (t) => {
  const to = (url: string) => endsOf({ ...plain, to: `${url.replace('//', '//{node-a}:10256/')}` })
  t.match(to('http://healthz'), [{ kind: 'answered', http: undefined }])
  t.match(to('http://other'), [{ http: { status: 404 }, reason: /kube-proxy has no such path/ }])
  t.match(to('https://healthz'), [httpsEnd])
  t.end()
})

t.test('the ports of a proxy speak HTTP or TLS', (t) => {
  const to = (url: string) => ({ lab: 'ingress-tls', from: 'client', to: url, host: 'a.example.com' })
  const secure = 'https://{ingress-nginx-controller.external}'
  const open = 'http://{ingress-nginx-controller.external}'
  t.match(endsOf(to(`${secure}/`)), [{ kind: 'answered', http: undefined }])
  t.match(endsOf(to(`${secure}:80/`)), [httpsEnd])
  t.match(endsOf(to(`${open}:443/`)), [
    { http: { status: 400 }, missing: { spoken: 'TLS' }, reason: /returns 400: it expects TLS on this port/ },
  ])
  t.end()
})

const folder = (proxy: string) => `title: x
topology: { nodes: [node-a], clients: [client] }
ingress: [{ proxy: ${proxy}, name: edge, controller: example.com/edge }]`

const gateway = `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { containers: [{ name: web, image: nginx, ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Pod
metadata: { name: own, labels: { app: own } }
spec: { containers: [{ name: own, image: x, command: [sleep, '9'], ports: [{ containerPort: 80 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Service
metadata: { name: own }
spec: { selector: { app: own }, ports: [{ port: 80 }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: edge }
spec: { controllerName: example.com/edge }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: edge }
spec:
  gatewayClassName: edge
  listeners:
    - { name: passed, port: 9443, protocol: TLS, tls: { mode: Passthrough } }
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: { name: web }
spec: { parentRefs: [{ name: edge }], hostnames: [web.test], rules: [{ backendRefs: [{ name: web, port: 80 }] }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: TLSRoute
metadata: { name: own }
spec: { parentRefs: [{ name: edge }], hostnames: [own.test], rules: [{ backendRefs: [{ name: own, port: 80 }] }] }
---
`

const ingress = (
  name: string,
  host: string,
  prefix: string,
  annotations: string,
) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${host}, annotations: { ${prefix}/${annotations} } }
spec:
  ingressClassName: ${name}
  rules:
    - host: ${host}.test
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] }
---
`

const own = {
  nginx: {
    ...{
      prefix: 'nginx.ingress.kubernetes.io',
      tls: "backend-protocol: 'HTTPS'",
      two: "backend-protocol: 'GRPC'",
    },
    ...{ from: "whitelist-source-range: '192.0.2.0/24,192.0.2.9'", expectsTls: { http: { status: 400 } } },
  },
  haproxy: {
    ...{ prefix: 'haproxy.org', tls: "server-ssl: 'true'", two: "server-proto: 'h2'" },
    ...{ from: "allow-list: '192.0.2.0/24,192.0.2.9'", expectsTls: { caller: 'reset' } },
  },
} as const

for (const proxy of ['nginx', 'haproxy'] as const) {
  const { prefix, tls, two, from, expectsTls } = own[proxy]
  const manifests =
    gateway +
    ingress(proxy, 'tls', prefix, tls) +
    ingress(proxy, 'two', prefix, two) +
    ingress(proxy, 'from', prefix, from)
  const ask = (t: Parameters<typeof whyIn>[0], to: string, host: string) =>
    whyIn(t, { manifests, lab: folder(proxy), from: 'client', to, host })
  const controller = '{edge-controller.external}'

  t.test(`${proxy}: a backend that does not speak what the proxy begins with`, (t) => {
    const secure = ask(t, `http://${controller}/`, 'tls.test')
    t.match(secure, { outcome: 'fails', findings: [{ code: 'backend-protocol-different' }] })
    t.match(saysOf(secure), [
      /begins its connection with TLS, and pod default\/web speaks HTTP\/1\.1 without TLS/,
    ])
    t.match(
      fixesOf(secure),
      [/^vethlab kubectl .* patch ingress\/tls /],
      'the annotation, and then it passes',
    )
    const http2 = ask(t, `http://${controller}/`, 'two.test')
    t.match(http2, { outcome: 'fails', findings: [{ end: { caller: 'answer' } }] })
    t.match(saysOf(http2), [/begins its connection with HTTP\/2/])
    t.end()
  })

  t.test(`${proxy}: an annotation that does not allow the client`, (t) => {
    const denied = ask(t, `http://${controller}/`, 'from.test')
    t.match(denied, {
      outcome: 'fails',
      findings: [{ code: 'client-not-allowed', end: { http: { status: 403 } } }],
    })
    t.match(fixesOf(denied), [/patch ingress\/from /])
    t.end()
  })

  t.test(`${proxy}: TLS that is passed on is that of the pod`, (t) => {
    const at = (url: string, host: string) => ask(t, url.replace('//', `//${controller}:9443/`), host)
    t.match(at('https://', 'web.test'), { outcome: 'fails', findings: [{ end: httpsEnd }] })
    t.match(at('https://', 'other.test').findings[0]?.end, {
      ...{ caller: 'protocol error', reason: /closes the connection: no route matches$/ },
    })
    t.match(at('http://', 'web.test').findings[0], { code: 'protocol-different', end: { caller: 'reset' } })
    const open = at('https://', 'own.test')
    t.equal(open.outcome, 'passes')
    t.match(limitsOf(open), [/^not looked at: TLS, and the answer of container own of pod default\/own$/])
    t.match(ask(t, `http://${controller}:443/`, 'web.test').findings[0]?.end, expectsTls)
    t.end()
  })
}

t.test('what programs answer that are none of vethlab is not looked at', (t) => {
  const to = (url: string, name = 'own') =>
    limitsOf(
      whyIn(t, {
        manifests: gateway,
        lab: folder('nginx'),
        from: 'node-a',
        to: url.replace('X', `{service/${name}}`),
      }),
    )
  t.strictSame(to('http://X/'), ['not looked at: the answer of container own of pod default/own'])
  t.strictSame(to('X:80'), ['not looked at: the answer of container own of pod default/own'])
  t.strictSame(to('https://X:80/'), [
    'not looked at: TLS, and the answer of container own of pod default/own',
  ])
  t.strictSame(to('http://X/', 'web'), [])
  const asked = { manifests: gateway, lab: folder('nginx'), from: 'node-a' }
  const dropped = (to: string) => whyIn(t, { ...asked, to, after: ['node-a iptables -I OUTPUT -j DROP'] })
  const fixed = dropped('https://{service/own}:80/')
  t.match(fixesOf(fixed), [/iptables -D OUTPUT 1$/])
  t.strictSame(
    limitsOf(fixed),
    ['not looked at: TLS, and the answer of container own of pod default/own'],
    'nor is it after a fix',
  )
  t.strictSame(limitsOf(dropped('http://{service/web}/')), [])
  t.end()
})

const same: TraceComparison = { path: 0, hops: [], differences: [] }
const result = (outcome: Outcome, status?: number): RequestResult => ({
  ...{ outcome, exitCode: 0, stdout: outcome === 'answered' ? 'x' : '', durationMs: 1 },
  stderr: outcome === 'failed' ? 'curl: (35) wrong version number\n' : '',
  ...(status !== undefined && { http: { status, version: '1.1', headers: {}, body: '' } }),
})

t.test('what the caller got differs from a prediction, or is part of it', (t) => {
  const [path] = tracedTo({ ...plain, to: 'http://{node-a}:30080/' }).paths
  if (path?.receiver === undefined) throw new Error('no path')
  const { known: _, ...receiver } = path.receiver
  const at = (end: Partial<End>, got: RequestResult, isKnown = true) => {
    const one = { ...path, end: { ...path.end, ...end }, receiver: isKnown ? path.receiver : receiver }
    return withCaller(same, one, got, callerGot(got).outcome).differences.length === 0
  }
  const cases: [Partial<End>, RequestResult, boolean][] = [
    [{}, result('answered', 200), true],
    [{}, result('answered', 404), false],
    [{}, result('failed'), false],
    [{}, result('timeout'), false],
    [{ http: { status: 404 } }, result('answered', 404), true],
    [{ http: { status: 404 } }, result('answered', 400), false],
    [{ kind: 'refused', caller: 'answer' }, result('answered', 502), true],
    [{ kind: 'refused', caller: 'answer' }, result('answered', 200), false],
    [{ kind: 'refused', caller: 'protocol error' }, result('failed'), true],
    [{ kind: 'refused', caller: 'protocol error' }, result('answered', 200), false],
    [{ kind: 'refused', caller: 'connection refused' }, result('refused'), true],
    [{ kind: 'refused', caller: 'connection refused' }, result('answered', 200), false],
    [{ kind: 'refused', caller: 'reset' }, result('reset'), true],
    [{ kind: 'refused', caller: 'reset' }, result('answered', 200), false],
    [{ kind: 'dropped', caller: 'timeout' }, result('timeout'), true],
    [{ kind: 'dropped', caller: 'timeout' }, result('answered', 200), false],
    [{ kind: 'unreachable', caller: 'unreachable' }, result('timeout'), true],
    [{ kind: 'untraceable', caller: 'unknown' }, result('failed'), true],
  ]
  for (const [end, got, fits] of cases)
    t.equal(at(end, got), fits, `${end.caller ?? path.end.caller}: ${callerGot(got).outcome}`)
  t.equal(at({}, result('answered', 404), false), true, 'what another program answers is not predicted')
  t.equal(at({}, result('timeout'), false), true)
  t.equal(at({}, result('refused'), false), false, 'but it has accepted the connection')
  t.end()
})

t.test('a sent request is never answered if its caller has failed', (t) => {
  const snapshot = planSnapshot('nodeport', {})
  const asked = question(snapshot, { ...plain, to: 'http://{node-a}:30080/', protocol: 'tcp' })
  const prediction = predict(snapshot.state, asked.from, asked.packet)
  const got = callerGot(result('failed'))
  t.strictSame(got, { outcome: 'failed', passed: false, error: 'curl: (35) wrong version number' })
  const { mark, sentence } = observedHeadline(asked, prediction, same, got)
  t.equal(mark, '✗')
  t.match(
    sentence,
    /: its packets pass as predicted, and the request fails: failed: curl: \(35\) wrong version number$/,
  )
  const options = {
    colours: createColours(false),
    language: 'en',
    width: 100,
    all: false,
    nameOf: () => undefined,
  } as const
  const text = observedText(prediction, same, got, options)
  t.match(text, /^✗ the request fails: failed: curl: \(35\)/m)
  t.notMatch(text, /✔ answered/)
  const differing = withCaller(same, prediction.paths[0], result('failed'), got.outcome)
  t.match(
    observedText(prediction, differing, got, options),
    /client: caller\n +predicted +answer\n +caller +failed/,
  )
  t.equal(observedWhy(asked, { state: snapshot.state, prediction, comparison: differing }, got), undefined)
  t.equal(observedHeadline(asked, prediction, same, callerGot(result('answered', 200))).mark, '✔')
  const late = callerGot(result('timeout'))
  t.match(observedHeadline(asked, prediction, same, late, 'ko').sentence, /요청은 실패합니다: 타임아웃$/)
  t.match(observedText(prediction, same, late, { ...options, language: 'ko' }), /^✗ 요청 실패: 타임아웃$/m)
  t.end()
})

t.test('why a sent request has failed is the cause on the path that it took', (t) => {
  const snapshot = planSnapshot('nodeport', {})
  const asked = question(snapshot, { ...plain, protocol: 'tcp' })
  const prediction = predict(snapshot.state, asked.from, asked.packet)
  const sent = { state: snapshot.state, prediction, comparison: same }
  t.match(observedWhy(asked, sent, callerGot(result('failed'))), {
    findings: [
      {
        code: 'protocol-different',
        end: { reason: /pod default\/my-app-\S+ speaks HTTP without TLS/ },
        changes: [{ proposal: { says: 'call http://{node-a}:30080/' } }],
      },
    ],
  })
  t.equal(observedWhy(asked, sent, callerGot(result('answered', 200))), undefined)
  t.end()
})
