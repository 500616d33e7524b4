import type { Header, HeaderModifier, Route, WeightedBackend } from '../model.js'
import { headerVariable } from './conditions.js'
import type { Definitions } from './definitions.js'
import { directive, literal, type Directive } from './directive.js'

/** The module that speaks to a backend; its directives have names of their own. */
export type UpstreamModule = 'proxy' | 'grpc'

/** What every backend is told of the client and of the request. */
const forwarded: readonly (readonly [string, string])[] = [
  ['Host', '$forwarded_host'],
  ['X-Request-ID', '$forwarded_id'],
  ['X-Real-IP', '$remote_addr'],
  // as a client could claim anything, what it says of the way before is not passed on
  ['X-Forwarded-For', '$remote_addr'],
  ['X-Forwarded-Host', '$forwarded_host'],
  ['X-Forwarded-Port', '$server_port'],
  ['X-Forwarded-Proto', '$scheme'],
]

/** What a request carries on to every backend, by lower-case name. */
function usual(module: UpstreamModule): Map<string, Header> {
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

/** What holds for every location that says nothing of its own about the headers of its requests. */
export function usualHeaders(): Directive[] {
  return (['proxy', 'grpc'] as const).flatMap((module) => setHeaders(module, usual(module)))
}

/** Headers of the request to a backend and of the answer; the backend's own changes come after the route's. */
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
  const request = usual(module)
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

/** nginx sends one header of a name: what is added joins what is there, after a comma. */
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

/** Headers of the answer, also of one that nginx gives itself. */
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

/** The modifiers that there are. */
export function given(...modifiers: readonly (HeaderModifier | undefined)[]): HeaderModifier[] {
  return modifiers.filter((modifier) => modifier !== undefined)
}
