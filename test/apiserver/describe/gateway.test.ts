import t from 'tap'
import { describeObject, neededResources } from '../../../src/apiserver/describe/describeObject.js'
import type { KubeObject } from '../../../src/cluster/types.js'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import { below, controller, gateway, gatewayObject, grant } from '../../ingress/gateway/objects.js'
import { httpRoute, listener, route, rule, to } from '../../ingress/gateway/objects.js'
import { clusterOf } from '../../ingress/gateway/statuses.js'

const open = { namespaces: { from: 'Selector' as const, selector: { matchLabels: { front: 'open' } } } }
const secret = { certificateRefs: [{ name: 'missing' }] }
const edge = gateway([
  listener('http', { hostname: '*.example.com', allowedRoutes: open }),
  listener('https', { port: 443, protocol: 'HTTPS', tls: secret }),
])

/** The description of an object, by `Kind/name`, without the lines before its controller. */
function described(which: string, ...objects: readonly object[]): string[] {
  const cluster = withGatewayStatus(clusterOf(objects, 'nginx'), controller, [{ ip: '192.0.2.1' }])
  const { gatewayClasses = [], gateways = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  const { referenceGrants = [], secrets = [], namespaces, services, endpointSlices } = cluster
  const all: Record<string, readonly KubeObject[]> = {
    ...{ gatewayclasses: gatewayClasses, gateways, httproutes: httpRoutes, grpcroutes: grpcRoutes },
    ...{ tlsroutes: tlsRoutes, referencegrants: referenceGrants, secrets, namespaces, services },
    ...{ endpointslices: endpointSlices, listenersets: cluster.listenerSets ?? [] },
  }
  const object = Object.values(all)
    .flat()
    .find(({ kind, metadata }) => `${kind}/${metadata.name}` === which)
  if (object === undefined) throw new Error(`there is no ${which}`)
  // only the resources that the describer lists
  const related = neededResources(object.kind).flatMap((name) => all[name] ?? [])
  const lines = describeObject(object, related, [], new Date()).split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('Annotations:')) + 1, -2)
}

t.test('a Gateway with its listeners, certificates and routes', async (t) => {
  const routes = [
    httpRoute('a', { hostnames: ['a.example.com'], rules: [rule('a')] }),
    httpRoute('b', { parentRefs: [{ name: 'edge', sectionName: 'https' }], rules: [rule('a')] }),
  ]
  t.strictSame(described('Gateway/edge', edge, ...routes), [
    'Gateway Class:  lab (controller example.com/gateway)',
    'Address:        192.0.2.1',
    'Accepted:       yes',
    'Programmed:     yes',
    'Listeners:',
    '  Name   Port  Protocol  Host           Lets in                                            Routes  Served',
    '  ----   ----  --------  ----           -------                                            ------  ------',
    '  http   80    HTTP      *.example.com  HTTPRoute,GRPCRoute of namespaces with front=open  0       yes',
    '  https  443   HTTPS     *              HTTPRoute,GRPCRoute of namespace default           2       no (InvalidCertificateRef): Secret default/missing was not found',
    'Certificates:',
    '  Listener  Secret',
    '  --------  ------',
    '  https     default/missing (not shown: Secret default/missing was not found)',
    'Routes:',
    '  Route                Listener  Hosts          Attached',
    '  -----                --------  -----          --------',
    '  HTTPRoute default/a  *         a.example.com  yes',
    '  HTTPRoute default/b  https     *              yes',
  ])
})

t.test('a Gateway without a controller', async (t) => {
  const other = gateway([listener('http')], { gatewayClassName: 'other' })
  t.strictSame(described('Gateway/edge', other).slice(0, 4), [
    'Gateway Class:  other (there is no such GatewayClass: no controller serves it)',
    'Address:        <none>',
    'Accepted:       unknown (no controller serves the class)',
    'Programmed:     unknown (no controller serves the class)',
  ])
})

t.test('a GatewayClass', async (t) => {
  t.match(described('GatewayClass/lab', edge), [
    'Controller:   example.com/gateway',
    'Description:  <none>',
    'Parameters:   <none>',
    'Accepted:     yes',
    'Gateways:     default/edge',
    'Features:     GRPCRoute',
  ])
  const strange = gatewayObject('GatewayClass', 'strange', { controllerName: 'example.com/other' })
  t.equal(
    described('GatewayClass/strange', strange)[3],
    'Accepted:     unknown (no controller of the lab is example.com/other)',
  )
})

t.test('an HTTPRoute with its matches, filters and backends', async (t) => {
  const header = { headers: [{ name: 'version', value: 'two' }] }
  const rules = [
    {
      matches: [below('/cart', { method: 'POST', ...header }), below('/basket')],
      filters: [
        { type: 'URLRewrite', urlRewrite: { path: { type: 'ReplaceFullPath', replaceFullPath: '/x' } } },
        { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x', value: 'y' }] } },
      ],
      timeouts: { request: '2s' },
      backendRefs: [to('a', { weight: 9 }), to('none')],
    },
    { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] },
    { matches: [below('/nothing')] },
  ]
  const lines = described('HTTPRoute/r', gateway([listener('http')]), httpRoute('r', { rules }))
  t.strictSame(lines, [
    'Hostnames:    * (all of its listeners)',
    'Parents:',
    '  Parent                Listener  Accepted  References found',
    '  ------                --------  --------  ----------------',
    '  Gateway default/edge  *         yes       no (BackendNotFound)',
    'Rules:',
    '  #  Match                                     Does                    Backend',
    '  -  -----                                     ----                    -------',
    '  0  POST /cart (prefix), header version: two  rewrite to path /x      a:80 weight 9 (10.244.1.2:8080,10.244.2.2:8080)',
    '     /basket (prefix)                          request headers: set x  none:80 weight 1 (500: Service default/none was not found)',
    '                                               timeout 2s (request)',
    '  1  / (prefix)                                redirect 301 to https',
    '  2  /nothing (prefix)                                                 <none> (answered with 500)',
    'Not served:',
    '  Service default/none was not found (ResolvedRefs is False: BackendNotFound): its requests are answered with 500',
    '    field:      spec.rules[0].backendRefs[1]',
    '    to change:  create Service default/none with port 80, or name another',
  ])
})

const plain = gateway([listener('http'), listener('named', { port: 8080, hostname: '*.example.com' })])
const problems: readonly [what: string, objects: readonly object[], expected: readonly string[]][] = [
  [
    'no parent',
    [httpRoute('r', { parentRefs: [], rules: [rule('a')] })],
    [
      '  it names no Gateway as its parent',
      '    field:      spec.parentRefs',
      '    to change:  name a Gateway',
    ],
  ],
  [
    'a missing Gateway',
    [httpRoute('r', { rules: [rule('a')] })],
    ['  there is no Gateway default/edge', '    field:      spec.parentRefs[0]', '    to change:  create it'],
  ],
  [
    'a Gateway without a controller',
    [gateway([listener('http')], { gatewayClassName: 'other' }), httpRoute('r', { rules: [rule('a')] })],
    [
      '  no controller of the lab serves the class of Gateway default/edge',
      '    field:      spec.gatewayClassName of the Gateway, which is other',
      '    to change:  name a class whose controller runs in the lab',
    ],
  ],
  [
    'a missing listener',
    [plain, httpRoute('r', { parentRefs: [{ name: 'edge', sectionName: 'x' }], rules: [rule('a')] })],
    [
      '  rejected by Gateway default/edge: there is no listener named x (Accepted is False: NoMatchingParent)',
      '    field:      spec.parentRefs[0].sectionName',
      '    to change:  name one of: http (80), named (8080, *.example.com)',
    ],
  ],
  [
    'a namespace that is not allowed',
    [
      edge,
      httpRoute(
        'r',
        { parentRefs: [{ name: 'edge', namespace: 'default' }], rules: [] },
        { namespace: 'apps' },
      ),
    ],
    [
      '  rejected by Gateway default/edge: no listener allows routes of this kind and namespace (Accepted is False: NotAllowedByListeners)',
      '    field:      spec.listeners[].allowedRoutes of the Gateway: http: HTTPRoute,GRPCRoute of namespaces with front=open; https: HTTPRoute,GRPCRoute of namespace default',
      "    to change:  give namespace apps the label front=open, or let the Gateway's owner allow HTTPRoutes of apps on a listener",
    ],
  ],
  [
    'host names of no listener',
    [
      plain,
      httpRoute('r', {
        ...{ hostnames: ['x.org'], parentRefs: [{ name: 'edge', sectionName: 'named' }] },
        rules: [rule('a')],
      }),
    ],
    [
      '  rejected by Gateway default/edge: no listener matches its host names (Accepted is False: NoMatchingListenerHostname)',
      '    field:      spec.hostnames: x.org',
      '    to change:  use host names of the listeners: *.example.com',
    ],
  ],
  [
    'a filter that is not served',
    [plain, httpRoute('r', { rules: [{ ...rule('a'), filters: [{ type: 'CORS', cors: {} }] }] })],
    [
      '  rejected by Gateway default/edge: spec.rules[0]: the filter CORS is not supported (Accepted is False: UnsupportedValue)',
      '    field:      spec.rules[0]',
      '    to change:  remove it',
    ],
  ],
  [
    'a route of the other kind',
    [plain, route('GRPCRoute', 'a', { rules: [rule('a')] }), httpRoute('r', { rules: [rule('a')] })],
    [
      '  rejected by Gateway default/edge: GRPCRoute default/a, which is older or first by name, has the same host names: a listener serves either HTTPRoutes or GRPCRoutes for a host name (Accepted is False: Conflicted)',
      '    field:      spec.hostnames',
      '    to change:  use other host names, or a separate listener',
    ],
  ],
  [
    'a part that the proxy cannot do',
    [
      plain,
      httpRoute('r', {
        rules: [rule('a', { headers: [{ name: 'x_y', value: 'z' }] }), rule('a', below('/b'))],
      }),
    ],
    [
      '  partially served: Dropped Rule spec.rules[0]: nginx cannot match the header x_y (PartiallyInvalid is True)',
      '    field:      spec.rules[0]',
      '    to change:  remove it',
    ],
  ],
  [
    'a listener that is not served',
    [edge, httpRoute('r', { parentRefs: [{ name: 'edge', sectionName: 'https' }], rules: [rule('a')] })],
    [
      '  listener https of Gateway default/edge is not served: Secret default/missing was not found (Programmed is False)',
      '    field:      spec.listeners of the Gateway, https',
      '    to change:  see `vethlab ingress LAB gateway/edge -n default`',
    ],
  ],
  [
    'a Service that is not granted',
    [
      plain,
      httpRoute('r', { rules: [{ backendRefs: [to('a', { namespace: 'apps' })] }] }),
      gatewayObject('ReferenceGrant', 'g', grant({ kind: 'GRPCRoute', namespace: 'default' }, {}).spec, {
        namespace: 'apps',
      }),
    ],
    [
      '  no ReferenceGrant in namespace apps allows HTTPRoutes of default to use Service a (ResolvedRefs is False: RefNotPermitted): its requests are answered with 500',
      '    field:      spec.rules[0].backendRefs[0]',
      '    to change:  create a ReferenceGrant in namespace apps from HTTPRoutes of default to Service a',
    ],
  ],
]
for (const [what, objects, expected] of problems)
  t.test(`why a route is not served: ${what}`, async (t) => {
    const lines = described('HTTPRoute/r', ...objects)
    t.strictSame(lines.slice(lines.indexOf('Not served:') + 1), expected)
  })

t.test('a ReferenceGrant with the objects that use it', async (t) => {
  const leave = grant({ kind: 'HTTPRoute', namespace: 'apps' }, { name: 'a' })
  const user = (name: string, backend: string) =>
    httpRoute(
      name,
      { rules: [{ backendRefs: [to(backend, { namespace: 'default' })] }] },
      { namespace: 'apps' },
    )
  t.strictSame(described('ReferenceGrant/grant', leave, user('r', 'a'), user('s', 'b')), [
    'Lets:         HTTPRoutes of namespace apps',
    'Use:          Service default/a',
    'Used By:      HTTPRoute apps/r',
  ])
  t.match(described('ReferenceGrant/grant', leave)[2], /<none>/)
})

t.test('a GRPCRoute and a TLSRoute', async (t) => {
  const passing = { port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } } as const
  const methods = [
    { method: { service: 'shop.Cart', method: 'Add' } },
    { headers: [{ name: 'x', value: 'y' }] },
  ]
  const objects = [
    gateway([listener('http'), listener('tls', passing)]),
    route('GRPCRoute', 'g', { rules: [{ matches: methods, backendRefs: [to('a')] }, rule('none')] }),
    route('TLSRoute', 't', { hostnames: ['x.y'], rules: [{ backendRefs: [to('a'), to('none')] }] }),
  ]
  const rules = (which: string) => {
    const lines = described(which, ...objects)
    const from = lines.indexOf('Rules:') + 3
    return lines.slice(from, lines.indexOf('Not served:')).map((line) => line.replace(/ {3,}/g, '   '))
  }
  t.strictSame(rules('GRPCRoute/g'), [
    '  0  shop.Cart/Add   a:80 (10.244.1.2:8080,10.244.2.2:8080)',
    '   every method, header x: y',
    '  1  everything   none:80 (500: Service default/none was not found)',
  ])
  t.strictSame(rules('TLSRoute/t'), [
    '  0  every connection   a:80 weight 1 (10.244.1.2:8080,10.244.2.2:8080)',
    '   none:80 weight 1 (closed: Service default/none was not found)',
  ])
})

t.test('a ListenerSet and its routes', async (t) => {
  const set = gatewayObject('ListenerSet', 'shop', {
    parentRef: { name: 'edge' },
    listeners: [listener('shop', { hostname: 'shop.example.com' })],
  })
  const parentRefs = [{ kind: 'ListenerSet', name: 'shop' }]
  const attached = httpRoute('r', { parentRefs, rules: [rule('a')] })
  const open = { allowedListeners: { namespaces: { from: 'Same' } } }
  const allowed = [gateway([listener('http')], open), set, attached]
  const text = described('ListenerSet/shop', ...allowed).join('\n')
  t.match(text, /Parent: +Gateway default\/edge\nAccepted: +yes\nProgrammed: +yes\n/)
  t.match(
    text,
    / {2}shop {2}80 +HTTP +shop\.example\.com +HTTPRoute,GRPCRoute of namespace default +1 +yes\n/,
  )
  t.match(text, / {2}HTTPRoute default\/r +\* +\* +yes/)
  t.match(described('Gateway/edge', ...allowed).join('\n'), /ListenerSets:\n.*\n.*\n {2}default\/shop +yes\n/)
  t.match(described('HTTPRoute/r', ...allowed).join('\n'), /ListenerSet default\/shop +\* +yes +yes/)

  const closed = [gateway([listener('http')]), set, attached]
  t.match(
    described('HTTPRoute/r', ...closed).join('\n'),
    /rejected by ListenerSet default\/shop: .*NoMatchingParent\)\n +field: +spec\.allowedListeners of the Gateway\n/,
  )
  t.match(
    described('ListenerSet/shop', ...closed).join('\n'),
    /Accepted: +no \(NotAllowed\): spec\.allowedListeners/,
  )
  t.match(
    described('HTTPRoute/r', gateway([listener('http')]), attached).join('\n'),
    /there is no ListenerSet default\/shop/,
  )
})
