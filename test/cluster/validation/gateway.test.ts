import t from 'tap'
import { apiWarnings } from '../../../src/cluster/manifests/apiWarnings.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { cluster, refusals, twoNodes, applies, written } from '../lab.js'

const group = 'gateway.networking.k8s.io'

function objectText(kind: string, spec: string, version = 'v1'): string {
  return `apiVersion: ${group}/${version}\nkind: ${kind}\nmetadata: { name: x }\nspec: ${spec}\n`
}

function read(kind: string, spec: string, version?: string) {
  return parseManifests([{ path: 'a.yaml', text: objectText(kind, spec, version) }]).objects[0]?.object
}

const listener = (fields: string) => `{ gatewayClassName: c, listeners: [{ name: a, ${fields} }] }`
const set = (listeners: string) => `{ parentRef: { name: g }, listeners: [${listeners}] }`
const rule = (fields: string) => `{ rules: [{ ${fields} }] }`
const at = 'spec.rules[0]'
const refused: readonly [kind: string, spec: string, ...errors: string[]][] = [
  ['GatewayClass', '{}', 'spec.controllerName: Required value'],
  [
    'GatewayClass',
    '{ controllerName: a }',
    'spec.controllerName: Invalid value: "a": must be a domain-prefixed',
  ],
  ['Gateway', '{ gatewayClassName: c }', 'spec.listeners: Required value'],
  ['Gateway', listener('port: 443, protocol: TLS'), 'tls mode must be set for protocol TLS'],
  [
    'Gateway',
    '{ gatewayClassName: c, allowedListeners: { namespaces: { from: Any } }, listeners: [{ name: a, port: 80, protocol: HTTP }] }',
    'spec.allowedListeners.namespaces.from: Unsupported value: "Any": supported values: "All", "Selector", "Same", "None"',
  ],
  ['ListenerSet', '{ listeners: [{ name: a, port: 80, protocol: HTTP }] }', 'spec.parentRef: Required value'],
  ['ListenerSet', '{ parentRef: { name: g } }', 'spec.listeners: Required value'],
  ['ListenerSet', set('{ name: a, port: 0, protocol: HTTP }'), 'spec.listeners[0].port: Invalid value: 0'],
  [
    'ListenerSet',
    set('{ name: a, port: 443, protocol: HTTPS, tls: { mode: Passthrough } }'),
    'tls mode must be Terminate for protocol HTTPS',
  ],
  [
    'ListenerSet',
    set('{ name: a, port: 80, protocol: HTTP }, { name: b, port: 80, protocol: HTTP }'),
    'Combination of port, protocol and hostname must be unique for each listener',
  ],
  [
    'ListenerSet',
    '{ parentRef: { name: g, kind: "*" }, listeners: [{ name: a, port: 80, protocol: HTTP }] }',
    'spec.parentRef.kind: Invalid value: "*": spec.parentRef.kind in body should match',
  ],
  [
    'Gateway',
    listener('port: 0, protocol: HTTP'),
    'spec.listeners[0].port: Invalid value: 0: must be between',
  ],
  ['Gateway', listener('port: 80, protocol: HTTP, tls: {}'), 'tls must not be specified for protocols'],
  [
    'Gateway',
    listener('port: 443, protocol: HTTPS, tls: {}'),
    'certificateRefs or options must be specified',
  ],
  [
    'Gateway',
    listener('port: 443, protocol: HTTPS, tls: { mode: Passthrough }'),
    'tls mode must be Terminate for protocol HTTPS',
  ],
  [
    'Gateway',
    listener('port: 80, protocol: HTTP, hostname: 1.2.3.4'),
    'must be a DNS name, not an IP address',
  ],
  ['Gateway', listener('port: 80, protocol: HTTP, hostname: "a.*"'), 'hostname: Invalid value: "a.*"'],
  [
    'Gateway',
    '{ gatewayClassName: c, listeners: [{ name: a, port: 80, protocol: HTTP }, { name: b, port: 80, protocol: HTTP }] }',
    'Combination of port, protocol and hostname must be unique for each listener',
  ],
  [
    'Gateway',
    '{ gatewayClassName: c, listeners: [{ name: a, port: 80, protocol: HTTP }, { name: a, port: 81, protocol: HTTP }] }',
    'spec.listeners[1].name: Duplicate value: "a"',
  ],
  [
    'HTTPRoute',
    rule('matches: [{ path: { value: a } }]'),
    `${at}.matches[0].path.value: Invalid value: "a": value must be an absolute`,
  ],
  ['HTTPRoute', rule('matches: [{ path: { value: /a//b } }]'), `must not contain '//'`],
  ['HTTPRoute', rule('matches: [{ method: get }]'), `${at}.matches[0].method: Unsupported value: "get"`],
  ['HTTPRoute', rule('matches: [{ headers: [{ name: "a b", value: c }] }]'), 'must be the name of a header'],
  ['HTTPRoute', rule('backendRefs: [{ name: a }]'), 'Must have port for Service reference'],
  ['HTTPRoute', rule('backendRefs: [{ name: a, port: 80, weight: -1 }]'), 'must be between 0 and 1000000'],
  [
    'HTTPRoute',
    rule('filters: [{ type: URLRewrite }]'),
    'filter.urlRewrite must be specified for URLRewrite',
  ],
  [
    'HTTPRoute',
    rule('filters: [{ type: RequestRedirect, requestRedirect: {} }], backendRefs: [{ name: a, port: 80 }]'),
    'RequestRedirect filter must not be used together with backendRefs',
  ],
  [
    'HTTPRoute',
    rule('filters: [{ type: RequestRedirect, requestRedirect: {} }, { type: URLRewrite, urlRewrite: {} }]'),
    'but not both',
  ],
  [
    'HTTPRoute',
    rule(
      'matches: [{ path: { type: Exact, value: /a } }], filters: [{ type: URLRewrite, urlRewrite: { path: { type: ReplacePrefixMatch, replacePrefixMatch: / } } }]',
    ),
    'exactly one PathPrefix match must be specified',
  ],
  [
    'HTTPRoute',
    rule('timeouts: { request: 1s, backendRequest: 2s }'),
    'backendRequest timeout cannot be longer',
  ],
  ['HTTPRoute', rule('timeouts: { request: 1 hour }'), `${at}.timeouts.request: Invalid value: "1 hour"`],
  ['HTTPRoute', '{ hostnames: ["*"] }', 'spec.hostnames[0]: Invalid value: "*"'],
  ['HTTPRoute', '{ parentRefs: [{ name: a }, { name: a }] }', 'sectionName or port must be specified when'],
  [
    'HTTPRoute',
    '{ parentRefs: [{ name: a, port: 80 }, { name: a, port: 80 }] }',
    'sectionName or port must be unique when',
  ],
  ['GRPCRoute', rule('matches: [{ method: {} }]'), "One or both of 'service' or 'method' must be specified"],
  ['GRPCRoute', rule('filters: [{ type: URLRewrite, urlRewrite: {} }]'), 'Unsupported value: "URLRewrite"'],
  ['TLSRoute', '{}', 'spec.hostnames: Required value', 'spec.rules: Required value'],
  ['TLSRoute', '{ hostnames: [a.example], rules: [{}] }', `${at}.backendRefs: Required value`],
  [
    'TLSRoute',
    '{ hostnames: [a.example], rules: [] }',
    'spec.rules: Invalid value: 0: spec.rules in body should have at least 1 items',
  ],
  [
    'TLSRoute',
    '{ hostnames: [], rules: [{ backendRefs: [{ name: a, port: 1 }] }] }',
    'spec.hostnames: Invalid value: 0: spec.hostnames in body should have at least 1 items',
  ],
  [
    'TLSRoute',
    '{ hostnames: [a.example], rules: [{ backendRefs: [{ name: a, port: 1 }] }, { backendRefs: [{ name: a, port: 1 }] }] }',
    'spec.rules: Too many: 2: must have at most 1 items',
  ],
  [
    'TLSRoute',
    '{ hostnames: [a.example, 1.2.3.4], rules: [{ backendRefs: [{ name: a, port: 1 }] }] }',
    'spec.hostnames: Invalid value: ["a.example","1.2.3.4"]: Hostnames cannot contain an IP',
  ],
  [
    'HTTPRoute',
    rule('matches: [{ headers: [{ name: a, value: b }, { name: a, value: c }] }]'),
    `${at}.matches[0].headers[1]: Duplicate value: {"name":"a"}`,
  ],
  [
    'HTTPRoute',
    rule('matches: [{ queryParams: [{ name: a, value: b }, { name: a, value: b }] }]'),
    `${at}.matches[0].queryParams[1]: Duplicate value: {"name":"a"}`,
  ],
  [
    'HTTPRoute',
    rule('filters: [{ type: RequestHeaderModifier, requestHeaderModifier: { remove: [a, a] } }]'),
    `${at}.filters[0].requestHeaderModifier.remove[1]: Duplicate value: "a"`,
  ],
  [
    'HTTPRoute',
    rule(
      'filters: [{ type: ResponseHeaderModifier, responseHeaderModifier: { add: [{ name: a, value: "b\\nc" }] } }]',
    ),
    `${at}.filters[0].responseHeaderModifier.add[0].value: Invalid value: "b\\nc"`,
  ],
  [
    'HTTPRoute',
    rule('matches: [{ path: { value: "/a[/]b" } }]'),
    `${at}.matches[0].path.value: Invalid value: "/a[/]b": must only contain valid characters`,
  ],
  [
    'HTTPRoute',
    rule('backendRefs: [{ group: "*", name: a, port: 80 }]'),
    `${at}.backendRefs[0].group: Invalid value: "*": ${at}.backendRefs[0].group in body should match '^$|`,
  ],
  [
    'HTTPRoute',
    rule('backendRefs: [{ kind: "*", name: a }]'),
    `${at}.backendRefs[0].kind: Invalid value: "*": ${at}.backendRefs[0].kind in body should match '^[a-zA-Z]`,
  ],
  ['HTTPRoute', '{ parentRefs: [{ kind: "*", name: a }] }', `spec.parentRefs[0].kind: Invalid value: "*"`],
  [
    'Gateway',
    '{ gatewayClassName: c, addresses: [{ value: 1.1.1 }], listeners: [{ name: a, port: 80, protocol: HTTP }] }',
    'spec.addresses[0].value: Invalid value: "1.1.1": must be an IP address',
  ],
  [
    'Gateway',
    '{ gatewayClassName: c, addresses: [{ type: Hostname, value: "a:80" }], listeners: [{ name: a, port: 80, protocol: HTTP }] }',
    'Hostname value must be empty or contain only valid characters',
  ],
  [
    'Gateway',
    '{ gatewayClassName: c, addresses: [{ value: 10.0.0.1 }, { value: 10.0.0.1 }], listeners: [{ name: a, port: 80, protocol: HTTP }] }',
    'spec.addresses: Invalid value: "10.0.0.1": IPAddress values must be unique',
  ],
  ['ReferenceGrant', '{ from: [{ group: "", kind: A, namespace: a }] }', 'spec.to: Required value'],
  ['HTTPRoute', '{ hostnams: [] }', 'unknown field "spec.hostnams"'],
]

for (const [kind, spec, ...errors] of refused)
  t.test(`the CRD rejects ${kind} ${spec.slice(0, 90)}`, async (t) => {
    const found = refusals(() => read(kind, spec)).filter((line) => line.startsWith('a.yaml:'))
    t.equal(found.length, errors.length, found.join('\n'))
    for (const [index, error] of errors.entries()) {
      t.match(found[index], /^a\.yaml:4:\d+: /)
      t.ok(found[index]?.includes(error), found[index] ?? error)
    }
  })

t.test('defaults are set', async (t) => {
  t.match(
    read('HTTPRoute', '{ parentRefs: [{ name: g }], rules: [{ backendRefs: [{ name: a, port: 80 }] }] }'),
    {
      metadata: { generation: 1 },
      spec: {
        parentRefs: [{ group, kind: 'Gateway' }],
        rules: [
          {
            matches: [{ path: { type: 'PathPrefix', value: '/' } }],
            backendRefs: [{ group: '', kind: 'Service', weight: 1 }],
          },
        ],
      },
    },
  )
  t.match(read('Gateway', listener('port: 80, protocol: HTTP'), 'v1beta1'), {
    apiVersion: `${group}/v1`,
    spec: { listeners: [{ allowedRoutes: { namespaces: { from: 'Same' } } }] },
  })
})

t.test('each version that CRDs serve is accepted', async (t) => {
  const grant = '{ from: [{ group: a, kind: B, namespace: c }], to: [{ group: "", kind: Secret }] }'
  for (const version of ['v1', 'v1beta1'])
    t.match(read('ReferenceGrant', grant, version), { kind: 'ReferenceGrant' })
  const named = '{ hostnames: [a.example], rules: [{ backendRefs: [{ name: a, port: 443 }] }] }'
  for (const version of ['v1', 'v1alpha3', 'v1alpha2'])
    t.match(read('TLSRoute', named, version), { kind: 'TLSRoute' })
  t.match(
    refusals(() => read('HTTPRoute', '{}', 'v1alpha2')),
    [/no matches for kind "HTTPRoute"/],
  )
})

t.test('a TLSRoute is validated by the rules of its version, and stored in v1', async (t) => {
  const unnamed = rule('backendRefs: [{ name: a, port: 443 }]')
  for (const version of ['v1', 'v1alpha3'])
    t.match(
      refusals(() => read('TLSRoute', unnamed, version)),
      [/spec\.hostnames: Required value/],
    )
  const { tlsRoutes } = cluster(objectText('TLSRoute', unnamed, 'v1alpha2'))
  t.match(tlsRoutes, [{ apiVersion: `${group}/v1`, metadata: { generation: 1 } }])
  const warned = (version: string) => {
    const text = objectText(
      'TLSRoute',
      '{ hostnames: [a.example], rules: [{ backendRefs: [{ name: a, port: 1 }] }] }',
      version,
    )
    return apiWarnings(parseManifests([{ path: 'a.yaml', text }]).objects).map(({ at, message }) => [
      at,
      message,
    ])
  }
  t.same(warned('v1'), [])
  t.match(warned('v1alpha3'), [
    ['a.yaml:1:13', /^The v1alpha3 version of TLSRoute has been deprecated and will be removed/],
  ])
})

t.test('the generation follows the spec', async (t) => {
  const apply = (before: ReturnType<typeof cluster>, hostname: string) =>
    written(before, applies(objectText('HTTPRoute', `{ hostnames: [${hostname}] }`)), {
      ...twoNodes,
      now: '2026-01-02T03:04:05Z',
    })
  const first = apply(cluster(objectText('GatewayClass', '{ controllerName: a.example/c }')), 'a.example')
  const same = apply(first.cluster, 'a.example')
  const next = apply(same.cluster, 'b.example')
  t.same(
    [first, same, next].map(({ said, cluster: { httpRoutes = [] } }) => [
      said[0],
      httpRoutes[0]?.metadata.generation,
    ]),
    [
      ['httproute.gateway.networking.k8s.io/x created', 1],
      ['httproute.gateway.networking.k8s.io/x unchanged', 1],
      ['httproute.gateway.networking.k8s.io/x configured', 2],
    ],
  )
})
