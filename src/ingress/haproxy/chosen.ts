import type { Route, VirtualHost, WeightedBackend } from '../model.js'
import { backendSection, unservedSection } from './backends.js'
import { conditions, type Acls } from './conditions.js'
import type { Line, Section } from './section.js'

/** Backends are chosen by weight with a random number below this. */
export const randomRange = 1_000_000

/** The selection of backends for the requests of one host. */
export interface Chosen {
  readonly lines: readonly Line[]
  readonly backends: readonly Section[]
  /** Whether a random number is needed. */
  readonly needsRandom: boolean
}

/** `use_backend` lines in the order of the routes: the first match is used. */
export function chosenBackends(
  host: VirtualHost,
  site: string,
  names: Acls,
  routeNumber: (route: Route) => number,
): Chosen {
  const each = host.routes.map((route) =>
    routeLines(route, [site, ...conditions(route, names)], names, routeNumber(route)),
  )
  return {
    lines: each.flatMap(({ lines }) => lines),
    backends: each.flatMap(({ backends }) => backends),
    needsRandom: each.some(({ needsRandom }) => needsRandom),
  }
}

function routeLines(route: Route, wanted: readonly string[], names: Acls, number: number): Chosen {
  const stem = `route_${number}`
  const { action } = route
  const weighted = action.kind === 'forward' ? action.backends.filter(({ weight }) => weight > 0) : []
  if (action.kind !== 'forward' || weighted.length === 0)
    return { lines: [useBackend(stem, wanted)], backends: [unservedSection(route, stem)], needsRandom: false }
  const named = weighted.map((backend, index) => ({ backend, name: `${stem}_${index}`, mark: `${index}-` }))
  const cookie = action.affinity?.cookie
  // a client with a cookie keeps its backend; for others it is a random choice
  const kept =
    cookie === undefined || named.length === 1
      ? []
      : named.map(({ name, mark }) =>
          useBackend(name, [...wanted, names.name([[`req.cook(${cookie})`, '-m', 'beg', '--', mark]])]),
        )
  const random = sharesOf(weighted).map((below, index) => {
    const name = `${stem}_${index}`
    return useBackend(
      name,
      below === randomRange ? wanted : [...wanted, `{ var(txn.random) -m int lt ${below} }`],
    )
  })
  return {
    lines: [...kept, ...random],
    backends: named.map(({ backend, name, mark }) => backendSection(route, backend, name, mark)),
    needsRandom: named.length > 1,
  }
}

/** For each backend the number below which it, or one before it, is chosen. */
export function sharesOf(backends: readonly Pick<WeightedBackend, 'weight'>[]): number[] {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0)
  let before = 0
  return backends.map(({ weight }) => {
    before += weight
    return Math.round((before / total) * randomRange)
  })
}

function useBackend(name: string, conditions: readonly string[]): Line {
  return ['use_backend', name, ...(conditions.length === 0 ? [] : ['if', ...conditions.flatMap(words)])]
}

/** An anonymous ACL in braces consists of several words. */
function words(condition: string): string[] {
  return condition.startsWith('{') ? condition.split(' ') : [condition]
}
