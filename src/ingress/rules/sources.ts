import { namespacedName } from '../../cluster/namespacedName.js'
import type { Ingress, IngressBackend } from '../../cluster/types.js'
import type { PathMatch } from '../model.js'
import { withoutEndSlashes } from '../pathPattern.js'
import { warning, type Finding } from '../objects/finding.js'
import { settingsOf, type Settings } from './annotations.js'

/** An Ingress with the settings from its annotations. */
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

/** A host with its paths from all Ingresses, in the order in which they are evaluated. */
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
 * The rules of Ingresses, by host. If two have the same path for a host, the first is used; a canary is part of the path
 * whose requests it shares.
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
          const label = `${path.path.value} of host ${hostname}`
          const why =
            taken.source === source
              ? `${label} is defined twice; the first is used`
              : `${label} is already used by ${nameOf(taken.source)}`
          findings.push(warning(source.ingress, 'PathTaken', why))
        }
      }
    }
  for (const source of sources.filter(({ settings }) => settings.canary !== undefined))
    for (const { hostname, paths } of rulesOf(source))
      for (const path of paths) {
        const main = hosts.get(hostname)?.paths.get(pathKey(path.path))
        const label = `${path.path.value} of host ${hostname}`
        if (main === undefined)
          findings.push(warning(source.ingress, 'CanaryAlone', `no other Ingress has ${label}`))
        else if (main.canary !== undefined)
          findings.push(
            warning(
              source.ingress,
              'PathTaken',
              `${label} already has the canary ${nameOf(main.canary.source)}`,
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

/** The Ingresses with a default backend, except canaries; the first is used for hosts without rules. */
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
  const why = `hosts without rules already use the default backend of ${nameOf(first)}`
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
 * The match of a path. ImplementationSpecific is Prefix, as with ingress-nginx, or a regular expression with the annotation
 * `use-regex`, or with groups in rewrite-target.
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

/** Exact paths first, then longer ones before shorter ones; the order is stable. */
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
  return made(a) - made(b) || (namespacedName(a) < namespacedName(b) ? -1 : 1)
}
