import t from 'tap'
import type { Test } from 'tap'
import { causeText } from '../../../src/diagnose/headline.js'
import { proposalText } from '../../../src/diagnose/why/proposalText.js'
import type { Why } from '../../../src/diagnose/why/types.js'
import { fixesOf, saysOf, whyIn } from './whyIn.js'

const pods = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx, ports: [{ name: http, containerPort: 8080 }] }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: sick }
spec:
  selector: { matchLabels: { app: sick } }
  template:
    metadata: { labels: { app: sick } }
    spec:
      containers:
        - name: web
          image: nginx
          readinessProbe: { tcpSocket: { port: 9999 } }
          ports: [{ containerPort: 8080 }]
---
`

const service = (name: string, app: string, targetPort: string, namespace = 'default') => `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: ${namespace} }
spec: { selector: { app: ${app} }, ports: [{ name: http, port: 80, targetPort: ${targetPort} }] }
---
`

const services =
  service('good', 'web', '8080') +
  service('named', 'web', 'web') +
  service('selector', 'webb', '8080') +
  service('wrong', 'web', '9090') +
  service('sick', 'sick', '8080') +
  service('faraway', 'web', '8080', 'other')

const names = ['good', 'named', 'selector', 'wrong', 'sick', 'faraway', 'goood']
const rules = (path: (name: string, port: number) => string) =>
  [...names.map((name) => path(name, 80)), path('good', 8080)].join('')

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: other }\n---\n'

const ingress = `${namespace}apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec:
  ingressClassName: nginx
  rules:
    - host: example.com
      http:
        paths:
${rules(
  (name, port) => `          - path: /${name}${port === 80 ? '' : port}
            pathType: Prefix
            backend: { service: { name: ${name}, port: { number: ${port} } } }
`,
)}---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: elsewhere }
spec:
  ingressClassName: traefik
  rules:
    - host: traefik.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: good, port: { number: 80 } } } }] }
`

const route = `${namespace}apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: edge }
spec: { gatewayClassName: nginx, listeners: [{ name: http, port: 80, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web }
spec:
  parentRefs: [{ name: edge }]
  hostnames: [example.com]
  rules:
${rules(
  (name, port) => `    - matches: [{ path: { value: /${name}${port === 80 ? '' : port} } }]
      backendRefs: [{ name: ${name}, port: ${port} }]
`,
)}---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: lost }
spec:
  parentRefs: [{ name: nowhere }]
  hostnames: [lost.example.com]
  rules: [{ backendRefs: [{ name: good, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: section }
spec:
  parentRefs: [{ name: edge, sectionName: https }]
  hostnames: [section.example.com]
  rules: [{ backendRefs: [{ name: good, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: team }
spec: { parentRef: { name: edge }, listeners: [{ name: team, port: 80, protocol: HTTP, hostname: team.example.com }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: team }
spec:
  parentRefs: [{ kind: ListenerSet, name: team }]
  hostnames: [team.example.com]
  rules: [{ backendRefs: [{ name: good, port: 80 }] }]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: edge-set }
spec:
  parentRefs: [{ kind: ListenerSet, name: edge }]
  hostnames: [edge.example.com]
  rules: [{ backendRefs: [{ name: good, port: 80 }] }]
`

function whyOf(t: Test, more: string, path: string, host = 'example.com') {
  return whyIn(t, {
    lab: 'title: x\ntopology: { clients: [client] }\ningress: [{ proxy: nginx }]',
    manifests: pods + services + more,
    from: 'client',
    to: `http://{ingress-nginx-controller.external}/${path}`,
    host,
  })
}

function causeOf({ findings: [found] }: Why): string | undefined {
  return found && causeText(found)
}

/** An Ingress with one path for each host; without a host, the rule is for all. */
function hostsIngress(paths: readonly (readonly [host: string, path: string, app?: string])[]): string {
  const rules = paths.map(
    ([host, path, app = 'good']) => `    - ${host === '' ? '' : `host: "${host}"\n      `}http:
        paths: [{ path: ${path}, pathType: Prefix, backend: { service: { name: ${app}, port: { number: 80 } } } }]
`,
  )
  return `${namespace}apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: hosts }
spec:
  ingressClassName: nginx
  rules:
${rules.join('')}`
}

/** What a finding proposes, after it was predicted. */
function fixTextsOf({ findings }: Why): string[] {
  return findings.flatMap(({ changes }) => changes.map(({ proposal }) => proposalText(proposal)))
}

const called = 'call http://{ingress-nginx-controller.external}'

/** What is wrong behind a path, the same for an Ingress and a route; the fix is found for both. */
const broken: readonly (readonly [path: string, says: RegExp, fix: RegExp | undefined])[] = [
  ['named', /^no container port of the pods is named "web"/, /service\/named .*"targetPort":"http"/],
  ['selector', /^no pod in namespace default has the labels app=webb/, /service\/selector .*"app":"web"/],
  [
    'sick',
    /readinessProbe .* fails.*listens on port 9999, the pod listens on 8080$/,
    /deployment\/sick .*8080/,
  ],
  ['wrong', /^nothing listens on tcp port 9090/, /service\/wrong .*"targetPort":8080/],
  ['good8080', /names port 8080 of Service default\/good, which has 80 \(http\)$/, /--type=json$/],
  [
    'goood',
    /names Service default\/goood, which does not exist; there is Service default\/good$/,
    /"value":"good"/,
  ],
  // another Service would answer, but not the one that is meant
  [
    'faraway',
    /default\/faraway, which does not exist; Service other\/faraway is in another namespace/,
    undefined,
  ],
]

for (const [kind, more] of Object.entries({ Ingress: ingress, HTTPRoute: route }))
  t.test(`an ${kind}: each link from the reference to the probe`, async (t) => {
    t.equal(whyOf(t, more, 'good').outcome, 'passes')
    for (const [path, says, fix] of broken) {
      const why = whyOf(t, more, path)
      t.equal(why.outcome, 'fails', path)
      t.equal(saysOf(why).length, 1, path)
      t.match(saysOf(why), [says], path)
      if (fix === undefined) t.strictSame(fixesOf(why), [], path)
      else t.match(fixesOf(why)[0], fix, path)
    }
  })

t.test('an error of HTTP does not pass: a path, a host or a class that no rule has', async (t) => {
  const path = whyOf(t, ingress, 'nothing')
  t.match(path, { outcome: 'fails', answered: [] })
  t.match(saysOf(path), [/^no path of host example\.com matches \/nothing; there are .*\/good \(Prefix\)/])
  const host = whyOf(t, ingress, 'good', 'exampl.com')
  t.match(saysOf(host), [
    /^no Ingress or route has the host exampl\.com; the controller of ingress-nginx has rules for example\.com$/,
  ])
  t.match(host.findings[0]?.changes, [
    { proposal: { kind: 'request', host: 'example.com' }, share: 1 },
    {
      proposal: {
        command: /ingress\/web .*"from":"\/spec\/rules\/0".*\/spec\/rules\/1\/host","value":"exampl\.com"/,
      },
      share: 1,
    },
  ])
  t.equal(causeOf(host), 'the cause is the request')
  for (const rules of [ingress, route, ingress.replaceAll('host: example.com', 'host: "*.example.com"')]) {
    const name = rules.includes('*.') ? 'www.example.com' : 'example.com'
    const address = whyOf(t, rules, 'good', '192.0.2.1')
    const [found] = address.findings
    t.match(saysOf(address), [
      /^the request has the address 192\.0\.2\.1 as its host name, for which no Ingress/,
    ])
    t.match(found?.changes, [{ proposal: { kind: 'request', host: name }, share: 1 }])
    t.equal(causeOf(address), 'the cause is the request')
  }
  const other = whyOf(t, ingress, 'good', 'traefik.example.com')
  t.match(saysOf(other), [
    /^Ingress default\/elsewhere has a rule for traefik\.example\.com\/good, but has the class traefik, which does not exist; .* serves nginx$/,
  ])
  t.match(fixesOf(other), [/ingress\/elsewhere .*"value":"nginx"/])
})

t.test('a host name that has the path is called, and no host is taken away', async (t) => {
  const named = (host: string, path: string) => `${called}/${path} with the host name ${host} (--host)`
  const three = hostsIngress([
    ['aaa.test', '/1'],
    ['bbb.test', '/2'],
    ['ccc.test', '/3'],
  ])
  for (const host of ['192.0.2.1', 'zzz.example', 'ingress-nginx-controller.ingress-nginx']) {
    const why = whyOf(t, three, '3?x=1', host)
    t.strictSame(fixTextsOf(why), [named('ccc.test', '3?x=1')], host)
    t.equal(causeOf(why), 'the cause is the request', host)
    t.strictSame(
      fixTextsOf(whyOf(t, three, 'none', host)),
      [named('aaa.test', '1'), named('bbb.test', '2'), named('ccc.test', '3')],
      'no host has the path: each with its own',
    )
  }
  const wildcards = hostsIngress([
    ['*.example.com', '/a'],
    ['*.dev.example.org', '/b'],
    ['www.dev.example.org', '/none', 'goood'],
  ])
  t.strictSame(fixTextsOf(whyOf(t, wildcards, 'b', '192.0.2.1')), [named('www-2.dev.example.org', 'b')])
  t.strictSame(fixTextsOf(whyOf(t, wildcards, 'a', 'example.com')), [named('www.example.com', 'a')])
})

t.test('a rule without a host does not have the path, and that of a host has it', async (t) => {
  const both = hostsIngress([
    ['shop.test', '/'],
    ['', '/api', 'goood'],
  ])
  for (const host of ['192.0.2.1', 'shopp.test']) {
    const why = whyOf(t, both, '', host)
    t.strictSame(saysOf(why), [
      `no rule that applies to the host name ${host} has a path that matches /; other host names with one: shop.test`,
    ])
    t.equal(fixTextsOf(why)[0], `${called}/ with the host name shop.test (--host)`)
    t.equal(causeOf(why), 'the cause is the request')
  }
  const [, added] = fixTextsOf(whyOf(t, both, '', 'shopp.test'))
  t.equal(added, 'Ingress default/hosts: spec.rules also has shopp.test')
  const path = whyOf(t, hostsIngress([['shop.test', '/x']]), '', 'shop.test')
  t.strictSame(fixTextsOf(path), [`${called}/x with the host name shop.test (--host)`])
})

t.test('another port of the load balancer: the path, the query and the host name remain', async (t) => {
  const why = whyIn(t, {
    lab: 'title: x\ntopology: { clients: [client] }\ningress: [{ proxy: nginx }]',
    manifests: pods + services + ingress,
    from: 'client',
    to: 'http://{ingress-nginx-controller.external}:8080/good?x=1',
    host: 'example.com',
  })
  t.match(fixTextsOf(why), [
    'call http://192.0.2.1:80/good?x=1 with the host name example.com (--host), the port of Service ingress-nginx/ingress-nginx-controller',
  ])
})

t.test('a route that no listener accepts', async (t) => {
  t.match(saysOf(whyOf(t, route, '', 'lost.example.com')), [
    /^HTTPRoute default\/lost names the Gateway nowhere, which does not exist$/,
  ])
  t.match(saysOf(whyOf(t, route, '', 'section.example.com')), [
    /^HTTPRoute default\/section is not accepted: there is no listener named https \(NoMatchingParent\)$/,
  ])
  t.match(saysOf(whyOf(t, route, '', 'team.example.com')), [
    /^HTTPRoute default\/team is not accepted: ListenerSet default\/team is not accepted: its Gateway does not allow it/,
  ])
  // the Gateway edge exists, but no ListenerSet of this name
  t.match(saysOf(whyOf(t, route, '', 'edge.example.com')), [
    /^HTTPRoute default\/edge-set names the ListenerSet edge, which does not exist$/,
  ])
})
