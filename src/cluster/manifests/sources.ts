import type { Problem } from '../../errors.js'
import { isRecord } from './loose.js'
import type { ManifestFile } from './manifestFile.js'
import type { WrittenObject } from './readObject.js'

/** A template, of which these problems are the consequence; undefined for another file. */
export function templateProblem(file: ManifestFile, problems: readonly Problem[]): Problem | undefined {
  return problems.length === 0 ? undefined : (helmProblem(file) ?? placeholderProblem(file, problems))
}

/** A problem in a line with a placeholder such as `{{cell}}`. */
function placeholderProblem({ path, text }: ManifestFile, problems: readonly Problem[]): Problem | undefined {
  const lines = text.split('\n')
  for (const { at } of problems) {
    const found = /\{\{\s*\w+\s*\}\}/.exec(at?.file === path ? (lines[at.line - 1] ?? '') : '')
    if (at === undefined || found === null) continue
    return {
      message: `this file is a template with placeholders such as ${found[0]}, not a manifest`,
      at: { file: path, line: at.line, column: found.index + 1 },
      hint: 'replace them first, with the program for which the template was written',
    }
  }
  return undefined
}

/** A template of Helm, which is not YAML; undefined for another file. */
function helmProblem({ path, text }: ManifestFile): Problem | undefined {
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

/** A kustomization.yaml, which may have no kind, or a patch; undefined for another object. */
export function kustomizationProblem(written: WrittenObject): Problem | undefined {
  const { apiVersion, kind } = written.value
  const hint = 'render it first: `kubectl kustomize <folder> > manifests.yaml`'
  if (written.value['$patch'] !== undefined)
    return {
      message: 'this object is a patch of kustomize, not a manifest',
      at: written.keyAt(['$patch']),
      hint,
    }
  const isFile = /(^|\/)kustomization\.ya?ml$/.test(written.file) && kind === undefined
  if (!isFile && !(typeof apiVersion === 'string' && apiVersion.startsWith('kustomize.config.k8s.io/')))
    return undefined
  return {
    message: 'this file is input of kustomize, not a manifest',
    at: written.at([]),
    hint,
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
