import { dirname, join, relative } from 'node:path'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import { refOf, type ObjectRef } from '../../cluster/changes/findObject.js'
import {
  parseManifests,
  readManifests,
  throwOnFaults,
  type LocatedObject,
} from '../../cluster/manifests/manifests.js'
import { InputError, type Problem } from '../../errors.js'
import { readText } from '../../host/readText.js'
import { inside } from '../file/explain.js'
import { filesAt } from '../file/manifestPaths.js'
import type { Names } from '../../names/names.js'
import type { Lab } from '../types.js'
import { objectsNamed } from './objectReference.js'
import type { LabChange, WrittenChange, WrittenManifest } from './types.js'

type Path = readonly (string | number)[]
type Written<Verb extends WrittenChange['verb']> = Extract<WrittenChange, { verb: Verb }>

/** Where the names of a change are looked up. */
export interface ChangeContext {
  readonly lab: Lab
  readonly names: Names
  readonly ignoreKinds: ReadonlySet<string> | undefined
  /** The path of the change's key in lab.yaml. */
  readonly path: Path
  readonly report: (path: Path, message: string, hint?: string) => void
  readonly reportAll: (problems: readonly Problem[]) => void
}

/** Resolves the names of a change in lab.yaml; unknown names and invalid objects are reported. */
export function resolveChange(written: WrittenChange, context: ChangeContext): LabChange[] {
  switch (written.verb) {
    case 'apply': {
      const objects = objectsOf(written.manifests, context)
      return [cluster(...objects.map((manifest) => ({ verb: 'apply', manifest }) as const))]
    }
    case 'delete':
      return [cluster(...deletions(written, context))]
    case 'scale':
      return Object.entries(written.replicas).flatMap(([text, replicas]) =>
        named([text], context).map((ref) => cluster({ verb: 'scale', ref, replicas })),
      )
    case 'label':
    case 'annotate': {
      const { verb, values } = written
      return [cluster(...named(written.objects, context).map((ref) => ({ verb, ref, values })))]
    }
    case 'patch':
      return named([written.object], context).map((ref) =>
        cluster({ verb: 'patch', ref, patch: written.patch }),
      )
    case 'restart':
      return named(written.objects, context).map((ref) => cluster({ verb: 'restart', ref }))
    case 'restart-kube-proxy':
      return nodes(written.nodes, context).map((node) => ({ of: 'kube-proxy', node }))
    case 'node':
      return [
        ...nodes(written.down, context).map((node) => ({ of: 'node', node, state: 'down' }) as const),
        ...nodes(written.up, context).map((node) => ({ of: 'node', node, state: 'up' }) as const),
      ]
  }
}

function cluster(...writes: readonly ObjectWrite[]): LabChange {
  return { of: 'cluster', writes }
}

function named(texts: readonly string[], { names, path, report }: ChangeContext): ObjectRef[] {
  return texts.flatMap((text) => {
    const found = objectsNamed(text, names)
    if (!('problem' in found)) return found
    report(path, `${found.problem}${inside(path)}`, found.hint)
    return []
  })
}

function nodes(texts: readonly string[] | undefined, { names, path, report }: ChangeContext): string[] {
  if (texts === undefined) return names.all.flatMap(({ kind, name }) => (kind === 'node' ? [name] : []))
  return texts.flatMap((text) => {
    const lookup = names.lookup(text, ['node'])
    if ('found' in lookup) return [lookup.found[0].name]
    report(path, `${lookup.problem}${inside(path)}`, lookup.hint)
    return []
  })
}

function deletions(
  { objects, files, gracePeriodSeconds }: Written<'delete'>,
  context: ChangeContext,
): ObjectWrite[] {
  const paths = files.map((path) => ({ path }))
  const refs = [...named(objects, context), ...objectsOf(paths, context).map(({ object }) => refOf(object))]
  return refs.map((ref) => ({ verb: 'delete', ref, gracePeriodSeconds }))
}

function objectsOf(manifests: readonly WrittenManifest[], context: ChangeContext): LocatedObject[] {
  return manifests.flatMap((manifest) => {
    try {
      return 'path' in manifest ? fromFiles(manifest.path, context) : inPlace(manifest, context)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      context.reportAll(error.problems)
      return []
    }
  })
}

function fromFiles(
  entry: string,
  { lab, path, report, ignoreKinds }: ChangeContext,
): readonly LocatedObject[] {
  const found = filesAt(entry, lab.directory)
  if ('problem' in found) {
    report(path, `${found.problem}${inside(path)}`, found.hint)
    return []
  }
  const files = found.files.map((file) => {
    const shown = join(dirname(lab.file), relative(lab.directory, file))
    return { path: shown, text: readText(file, { shown }) }
  })
  const { objects } = parseManifests(files, { ignoreKinds, namespace: lab.namespace })
  throwOnFaults(objects)
  return objects
}

/** An object written in lab.yaml itself, with its positions there. */
function inPlace(
  { object, at }: Extract<WrittenManifest, { object: unknown }>,
  { lab, ignoreKinds }: ChangeContext,
): readonly LocatedObject[] {
  // YAML without tags has only values that JSON has
  const value = structuredClone(object) as Parameters<typeof readManifests>[0][number]['value']
  const written = {
    file: lab.file,
    value,
    at: (path: Path) => lab.at([...at, ...path]),
    keyAt: (path: Path) => lab.at([...at, ...path]),
  }
  const objects = readManifests([written], { ignoreKinds, namespace: lab.namespace })
  throwOnFaults(objects)
  return objects
}
