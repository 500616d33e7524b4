import type { Route, VirtualHost, WeightedBackend } from '../model.js'
import { backendSection, unservedSection } from './backends.js'
import { conditions, type Acls } from './conditions.js'
import type { Line, Section } from './section.js'

/** Weights are drawn by lot: a number below this. */
export const lots = 1_000_000

/** How the requests of one host find the backends of its routes. */
export interface Chosen {
  readonly lines: readonly Line[]
  readonly backends: readonly Section[]
  /** Whether a lot has to be drawn for it. */
  readonly drawn: boolean
}

/** `use_backend` lines in the order of the routes: the first that holds is taken. */
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
    drawn: each.some(({ drawn }) => drawn),
  }
}

function routeLines(route: Route, asked: readonly string[], names: Acls, number: number): Chosen {
  const stem = `route_${number}`
  const { action } = route
  const weighty = action.kind === 'forward' ? action.backends.filter(({ weight }) => weight > 0) : []
  if (action.kind !== 'forward' || weighty.length === 0)
    return { lines: [useBackend(stem, asked)], backends: [unservedSection(route, stem)], drawn: false }
  const named = weighty.map((backend, index) => ({ backend, name: `${stem}_${index}`, mark: `${index}-` }))
  const cookie = action.affinity?.cookie
  // who has been with a backend stays with it; who has not draws a lot
  const kept =
    cookie === undefined || named.length === 1
      ? []
      : named.map(({ name, mark }) =>
          useBackend(name, [...asked, names.name([[`req.cook(${cookie})`, '-m', 'beg', '--', mark]])]),
        )
  const drawn = sharesOf(weighty).map((below, index) => {
    const name = `${stem}_${index}`
    return useBackend(name, below === lots ? asked : [...asked, `{ var(txn.draw) -m int lt ${below} }`])
  })
  return {
    lines: [...kept, ...drawn],
    backends: named.map(({ backend, name, mark }) => backendSection(route, backend, name, mark)),
    drawn: named.length > 1,
  }
}

/** The lots below which each backend, and all before it, are drawn. */
export function sharesOf(backends: readonly Pick<WeightedBackend, 'weight'>[]): number[] {
  const total = backends.reduce((sum, { weight }) => sum + weight, 0)
  let before = 0
  return backends.map(({ weight }) => {
    before += weight
    return Math.round((before / total) * lots)
  })
}

function useBackend(name: string, conditions: readonly string[]): Line {
  return ['use_backend', name, ...(conditions.length === 0 ? [] : ['if', ...conditions.flatMap(words)])]
}

/** An ACL in braces is several words. */
function words(condition: string): string[] {
  return condition.startsWith('{') ? condition.split(' ') : [condition]
}
