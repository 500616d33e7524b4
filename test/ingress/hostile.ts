import fc from 'fast-check'
import type {
  HeaderModifier,
  Match,
  PathMatch,
  PathRewrite,
  ProxyConfiguration,
  Route,
  VirtualHost,
} from '../../src/ingress/model.js'
import { backend, configuration, forward, host, listener, route } from './models.js'

/** Characters and texts with a meaning in nginx, HAProxy or regular expressions. */
const signs = [
  ...['"', "'", '\\', ';', '{', '}', '$', '${', '}', '#', ' ', '%', '%[', ']', '(', ')', '~', '|', '*', '?'],
  ...['\\"', "\\'", '$host', '${host}', '%[src]', '%%', ',', '--', '-i', '&', '=', '\\E', '\\n', '\\t', '\\'],
  ...[
    'default',
    'include',
    '/',
    '//',
    'é',
    '\u2028',
    'a',
    'B',
    '0',
    '..',
    '.',
    '@',
    '`',
    '^',
    '[',
    ':',
    '<',
    '>',
  ],
]

/** Characters that no configuration may contain: such routes are dropped, so most texts are without them. */
const controls = ['\n', '\r', '\t', '\0', '\u007f']

/** Text that tries to change the configuration around it. */
export const hostileText = fc
  .array(
    fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(...signs) },
      { weight: 20, arbitrary: fc.string({ maxLength: 2 }) },
      { weight: 1, arbitrary: fc.constantFrom(...controls) },
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const mostly = <T>(usual: readonly T[], other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: other })
const name = mostly(['X-A', 'X-B', 'Host', 'Accept', 'Cookie', 'A_b', 'x!~^y'], hostileText)
const match: fc.Arbitrary<Match> = fc.record({
  name,
  type: mostly(['Exact'], fc.constant('RegularExpression')),
  value: hostileText,
})
const modifier: fc.Arbitrary<HeaderModifier> = fc.record({
  set: fc.array(fc.record({ name, value: hostileText }), { maxLength: 2 }),
  add: fc.array(fc.record({ name, value: hostileText }), { maxLength: 2 }),
  remove: fc.array(name, { maxLength: 2 }),
})
const path: fc.Arbitrary<PathMatch> = fc.record({
  type: mostly(['Exact', 'Prefix'], fc.constant('RegularExpression')),
  value: hostileText.map((text) => `/${text}`),
})
const newPath: fc.Arbitrary<PathRewrite> = fc.record({
  type: fc.constantFrom('Full', 'Prefix', 'Regex'),
  value: hostileText.map((text) => `/${text}`),
})
const hostname = mostly(['a.example.com', '*.example.com', '*'], hostileText)
const action: fc.Arbitrary<Route['action']> = fc.oneof(
  fc
    .record({ requestHeaders: modifier, responseHeaders: modifier, cookie: name })
    .map(({ cookie, ...headers }) => ({
      ...forward(backend([80, 81], headers), backend([82], { protocol: 'GRPC' })),
      affinity: { cookie },
    })),
  fc.record({
    kind: fc.constant('redirect' as const),
    hostname: fc.option(hostname, { nil: undefined }),
    path: fc.option(newPath, { nil: undefined }),
    status: fc.constant(302 as const),
  }),
)
const anyRoute: fc.Arbitrary<Route> = fc
  .record({
    id: hostileText,
    path,
    method: fc.option(name, { nil: undefined }),
    headers: fc.array(match, { maxLength: 2 }),
    query: fc.array(
      fc.record({ name: hostileText, type: fc.constant('Exact' as const), value: hostileText }),
      { maxLength: 2 },
    ),
    action,
    rewrite: fc.option(fc.record({ hostname: fc.option(hostname, { nil: undefined }), path: newPath }), {
      nil: undefined,
    }),
    requestHeaders: fc.option(modifier, { nil: undefined }),
    responseHeaders: fc.option(modifier, { nil: undefined }),
    allowFrom: fc.option(fc.array(mostly(['10.0.0.0/8', '::/0'], hostileText), { maxLength: 2 }), {
      nil: undefined,
    }),
  })
  .map((given) => route(given))
const anyHost: fc.Arbitrary<VirtualHost> = fc
  .tuple(hostname, fc.array(anyRoute, { maxLength: 3 }))
  .map(([name, routes]) => host(name, routes))

/** Configurations in which every text of a user is hostile. */
export const hostileConfiguration: fc.Arbitrary<ProxyConfiguration> = fc
  .array(anyHost, { minLength: 1, maxLength: 2 })
  .map((hosts) => configuration(listener(80, hosts)))

/** Replaces each text of a user with a harmless one, equal texts with equal ones. */
export function harmless(model: ProxyConfiguration): ProxyConfiguration {
  const known = new Map<string, string>()
  const instead = (text: string) => {
    if (text !== '') known.set(text, known.get(text) ?? `t${known.size}`)
    return known.get(text) ?? ''
  }
  const replaced = new Set(['value', 'id'])
  return JSON.parse(
    JSON.stringify(model, (key, value: unknown) => {
      if (!replaced.has(key) || typeof value !== 'string') return value
      // keeps the number of path elements
      return value.split('/').map(instead).join('/')
    }),
  ) as ProxyConfiguration
}

/** Every route of a configuration. */
export function routesOf({ listeners }: ProxyConfiguration): Route[] {
  return listeners.flatMap(({ hosts }) => hosts).flatMap(({ routes }) => routes)
}
