import type { Problem } from '../../errors.js'
import { isRecord } from './loose.js'
import type { ManifestFile } from './manifestFile.js'
import type { WrittenObject } from './readObject.js'

/** A template of Helm, which is not YAML; undefined for another file. */
export function helmProblem({ path, text }: ManifestFile): Problem | undefined {
  const action =
    /\{\{-?\s*(\.(Values|Release|Chart|Capabilities)\b|(include|template|define|if|range|with)\s)/.exec(text)
  if (action === null) return undefined
  const before = text.slice(0, action.index).split('\n')
  return {
    message: 'this file is a template of Helm, not a manifest',
    at: { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
    hint: 'render it first: `helm template <chart> > manifests.yaml`',
  }
}

/** A kustomization.yaml, which may have no kind; undefined for another object. */
export function kustomizationProblem(written: WrittenObject): Problem | undefined {
  const { apiVersion, kind } = written.value
  const isFile = /(^|\/)kustomization\.ya?ml$/.test(written.file) && kind === undefined
  if (!isFile && !(typeof apiVersion === 'string' && apiVersion.startsWith('kustomize.config.k8s.io/')))
    return undefined
  return {
    message: 'this file is input of kustomize, not a manifest',
    at: written.at([]),
    hint: 'render it first: `kubectl kustomize <folder> > manifests.yaml`',
  }
}

/** The kind that a CustomResourceDefinition defines, as `group/Kind`. */
export function customKinds({ value }: WrittenObject): string[] {
  const spec = value['spec']
  if (!isRecord(spec) || !isRecord(spec['names'])) return []
  const { group } = spec
  const { kind } = spec['names']
  return typeof group === 'string' && typeof kind === 'string' ? [`${group}/${kind}`] : []
}
