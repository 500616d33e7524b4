import type { Ingress, IngressBackend } from '../../cluster/types.js'
import type { PathMatch } from '../model.js'
import { withoutEndSlashes } from '../pathPattern.js'
import { warning, type Finding } from '../objects/finding.js'
import { settingsOf, type Settings } from './annotations.js'

/** An Ingress with what its annotations say. */
export interface Source {
  readonly ingress: Ingress
  readonly namespace: string
  readonly settings: Settings
}

/** A path of a host, and the Ingress that has it. */
export interface HostPath {
  readonly source: Source
  /** `Ingress/namespace/name/index`. */
  readonly id: string
  readonly path: PathMatch
  readonly backend: IngressBackend
  readonly canary?: HostPath | undefined
}

/** A host with the paths that Ingresses have for it, in the order in which they are tried. */
export interface Host {
  readonly hostname: string
  /** The Ingresses that have a rule for it, oldest first. */
  readonly sources: readonly Source[]
  readonly paths: readonly HostPath[]
}

/** The Ingresses in the order in which they are merged: the oldest first, then by namespace and name. */
export function sourcesOf(
  ingresses: readonly Ingress[],
  prefixes: readonly string[],
): { readonly sources: readonly Source[]; readonly findings: readonly Finding[] } {
  const read = [...ingresses].sort(oldestFirst).map((ingress) => ({
    ingress,
    namespace: ingress.metadata.namespace ?? 'default',
    ...settingsOf(ingress, prefixes),
  }))
  return { sources: read, findings: read.flatMap(({ findings }) => findings) }
}

/**
 * What Ingresses say, by host. A path that two have for the same host is the first one's; a canary stands behind the path
 * that it takes its share of.
 */
export function hostsOfSources(sources: readonly Source[]): {
  readonly hosts: readonly Host[]
  readonly findings: readonly Finding[]
} {
  const findings: Finding[] = []
  const hosts = new Map<string, { sources: Source[]; paths: Map<string, HostPath> }>()
  for (const source of sources.filter(({ settings }) => settings.canary === undefined))
    for (const { hostname, paths } of rulesOf(source)) {
      const host = hosts.get(hostname) ?? { sources: [], paths: new Map<string, HostPath>() }
      hosts.set(hostname, host)
      if (!host.sources.includes(source)) host.sources.push(source)
      for (const path of paths) {
        const taken = host.paths.get(pathKey(path.path))
        if (taken === undefined) host.paths.set(pathKey(path.path), path)
        else {
          const said = `${path.path.value} of host ${hostname}`
          const why =
            taken.source === source
              ? `${said} stands there twice; the first is served`
              : `${said} is served for ${nameOf(taken.source)} already`
          findings.push(warning(source.ingress, 'PathTaken', why))
        }
      }
    }
  for (const source of sources.filter(({ settings }) => settings.canary !== undefined))
    for (const { hostname, paths } of rulesOf(source))
      for (const path of paths) {
        const main = hosts.get(hostname)?.paths.get(pathKey(path.path))
        const said = `${path.path.value} of host ${hostname}`
        if (main === undefined)
          findings.push(warning(source.ingress, 'CanaryAlone', `no other Ingress has ${said}`))
        else if (main.canary !== undefined)
          findings.push(
            warning(
              source.ingress,
              'PathTaken',
              `${said} has the canary ${nameOf(main.canary.source)} already`,
            ),
          )
        else hosts.get(hostname)?.paths.set(pathKey(path.path), { ...main, canary: path })
      }
  return {
    findings,
    hosts: [...hosts].map(([hostname, host]) => ({
      hostname,
      sources: host.sources,
      paths: [...host.paths.values()].sort(byPrecedence),
    })),
  }
}

/** The Ingresses with a default backend, but for canaries, the one whose is for all that nothing takes first. */
export function withDefault(sources: readonly Source[]): {
  readonly sources: readonly Source[]
  readonly findings: readonly Finding[]
} {
  const found = sources.filter(
    ({ ingress, settings }) => ingress.spec.defaultBackend !== undefined && settings.canary === undefined,
  )
  const [first, ...others] = found
  if (first === undefined) return { sources: [], findings: [] }
  const unused = others.filter(({ ingress }) => (ingress.spec.rules ?? []).length === 0)
  const why = `what no host takes goes to the default backend of ${nameOf(first)} already`
  return { sources: found, findings: unused.map(({ ingress }) => warning(ingress, 'PathTaken', why)) }
}

/** `namespace/name`. */
export function nameOf({ ingress, namespace }: Source): string {
  return `${namespace}/${ingress.metadata.name}`
}

function rulesOf(source: Source): { hostname: string; paths: HostPath[] }[] {
  let index = 0
  return (source.ingress.spec.rules ?? []).map(({ host = '', http }) => ({
    hostname: host === '' ? '*' : host,
    paths: (http?.paths ?? []).map((item) => ({
      source,
      id: `Ingress/${nameOf(source)}/${index++}`,
      path: matchOf(item.path ?? '', item.pathType, source.settings),
      backend: item.backend,
    })),
  }))
}

/**
 * How a path is compared. ImplementationSpecific is Prefix, as with ingress-nginx, unless the annotations make expressions
 * of paths: `use-regex`, or a rewrite-target with groups.
 */
function matchOf(
  path: string,
  type: string | undefined,
  { useRegex, rewriteTarget = '' }: Settings,
): PathMatch {
  const value = path === '' ? '/' : path
  if (type === 'Exact') return { type: 'Exact', value }
  const isPattern = useRegex === true || (/\$\d/.test(rewriteTarget) && /[()[\]*+?^$|\\]/.test(value))
  return { type: isPattern ? 'RegularExpression' : 'Prefix', value }
}

/** Exact paths before all others, then longer ones before shorter ones; of the same length what came first. */
function byPrecedence(a: HostPath, b: HostPath): number {
  const exact = ({ path }: HostPath) => (path.type === 'Exact' ? 0 : 1)
  return exact(a) - exact(b) || length(b.path) - length(a.path)
}

function length({ type, value }: PathMatch): number {
  return (type === 'Prefix' ? withoutEndSlashes(value) : value).length
}

function pathKey(path: PathMatch): string {
  return `${path.type} ${path.type === 'Prefix' ? withoutEndSlashes(path.value) : path.value}`
}

function oldestFirst(a: Ingress, b: Ingress): number {
  const made = ({ metadata }: Ingress) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const name = ({ metadata }: Ingress) => `${metadata.namespace ?? 'default'}/${metadata.name}`
  return made(a) - made(b) || (name(a) < name(b) ? -1 : 1)
}
