import type { Header, HeaderModifier, Route, WeightedBackend } from '../model.js'
import { headerVariable } from './conditions.js'
import type { Definitions } from './definitions.js'
import { directive, literal, type Directive } from './directive.js'

/** The nginx module for a backend; it is the prefix of directive names. */
export type UpstreamModule = 'proxy' | 'grpc'

/** Headers about the client and the request, for every backend. */
const forwarded: readonly (readonly [string, string])[] = [
  ['Host', '$forwarded_host'],
  ['X-Request-ID', '$forwarded_id'],
  ['X-Real-IP', '$remote_addr'],
  // clients are not trusted: their own header is replaced
  ['X-Forwarded-For', '$remote_addr'],
  ['X-Forwarded-Host', '$forwarded_host'],
  ['X-Forwarded-Port', '$server_port'],
  ['X-Forwarded-Proto', '$scheme'],
]

/** The default headers of requests to every backend, by lower-case name. */
function defaultHeaders(module: UpstreamModule): Map<string, Header> {
  const upgrade = [
    ['Upgrade', '$http_upgrade'],
    ['Connection', '$connection_header'],
  ] as const
  return new Map(
    [...forwarded, ...(module === 'proxy' ? upgrade : [])].map(([name, value]) => [
      name.toLowerCase(),
      { name, value },
    ]),
  )
}

/** The directives for all locations that do not change request headers. */
export function defaultHeaderDirectives(): Directive[] {
  return (['proxy', 'grpc'] as const).flatMap((module) => setHeaders(module, defaultHeaders(module)))
}

/** Headers of the request to a backend and of the response; changes of the backend come after those of the route. */
export function headerDirectives(
  route: Pick<Route, 'requestHeaders' | 'responseHeaders' | 'rewrite'>,
  backend: Pick<WeightedBackend, 'requestHeaders' | 'responseHeaders'>,
  module: UpstreamModule,
  define: Definitions,
): Directive[] {
  const modifiers = given(route.requestHeaders, backend.requestHeaders)
  const host = route.rewrite?.hostname
  const changed = modifiers.length > 0 || host !== undefined
  return [
    ...(changed ? setHeaders(module, requestHeaders(host, modifiers, module, define)) : []),
    ...responseHeaders(given(route.responseHeaders, backend.responseHeaders), module),
  ]
}

function requestHeaders(
  host: string | undefined,
  modifiers: readonly HeaderModifier[],
  module: UpstreamModule,
  define: Definitions,
): Map<string, Header> {
  const request = defaultHeaders(module)
  if (host !== undefined) request.set('host', { name: 'Host', value: literal(host) })
  for (const { set, add, remove } of modifiers) {
    for (const { name, value } of set) request.set(name.toLowerCase(), { name, value: literal(value) })
    for (const header of add) request.set(header.name.toLowerCase(), added(header, request, define))
    for (const name of remove) request.set(name.toLowerCase(), { name, value: '' })
  }
  return request
}

function setHeaders(module: UpstreamModule, headers: ReadonlyMap<string, Header>): Directive[] {
  return [...headers.values()].map(({ name, value }) => directive(`${module}_set_header`, [name, value]))
}

/** nginx sends one header per name: an added value is appended after a comma. */
function added({ name, value }: Header, request: ReadonlyMap<string, Header>, define: Definitions): Header {
  const text = literal(value)
  const before = request.get(name.toLowerCase())
  if (before !== undefined) return { name, value: before.value === '' ? text : `${before.value}, ${text}` }
  const source = headerVariable(name)
  return {
    name,
    value: define.variable('map', 'added', source, [
      directive('default', [`${source}, ${text}`]),
      directive('', [text]),
    ]),
  }
}

/** Headers of the response, also of nginx's own responses. */
export function responseHeaders(modifiers: readonly HeaderModifier[], module: UpstreamModule): Directive[] {
  const hidden = new Map<string, string>()
  let sent: readonly Header[] = []
  const replace = (name: string) => {
    hidden.set(name.toLowerCase(), name)
    sent = sent.filter((header) => header.name.toLowerCase() !== name.toLowerCase())
  }
  for (const { set, add, remove } of modifiers) {
    for (const name of [...set.map((header) => header.name), ...remove]) replace(name)
    sent = [...sent, ...set, ...add]
  }
  return [
    ...[...hidden.values()].map((name) => directive(`${module}_hide_header`, [name])),
    ...sent.map(({ name, value }) => directive('add_header', [name, literal(value), 'always'])),
  ]
}

/** The modifiers that are not undefined. */
export function given(...modifiers: readonly (HeaderModifier | undefined)[]): HeaderModifier[] {
  return modifiers.filter((modifier) => modifier !== undefined)
}
