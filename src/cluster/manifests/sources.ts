import type { Problem } from '../../errors.js'
import { isRecord } from './loose.js'
import type { ManifestFile } from './manifestFile.js'
import type { WrittenObject } from './readObject.js'

/**
 * A template, of which these problems are the consequence; undefined for another file. `all` has also the faults that a
 * creation reports, such as an invalid host of an Ingress.
 */
export function templateProblem(
  file: ManifestFile,
  problems: readonly Problem[],
  all: readonly Problem[],
): Problem | undefined {
  return (problems.length === 0 ? undefined : helmProblem(file)) ?? placeholderProblem(file, all)
}

/** Placeholders of templates: `{{cell}}`, `{{.Name}}`, those of envsubst, and those that scripts replace with sed. */
const placeholder = /\{\{\s*[\w.]+\s*\}\}|\$\{\w+\}|\b__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__\b/

/** A problem in a line with a placeholder. */
function placeholderProblem({ path, text }: ManifestFile, problems: readonly Problem[]): Problem | undefined {
  const lines = problems.length === 0 ? [] : text.split('\n')
  for (const { at } of problems) {
    const found = placeholder.exec(at?.file === path ? (lines[at.line - 1] ?? '') : '')
    if (at === undefined || found === null) continue
    return {
      message: `this file is a template with placeholders such as ${found[0]}, not a manifest`,
      at: { file: path, line: at.line, column: found.index + 1 },
      hint: found[0].startsWith('$')
        ? `replace them first: \`envsubst < ${path} > manifests.yaml\` puts environment variables in their place`
        : 'replace them first, with the program for which the template was written',
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

/** Input of kustomize, Helm or Skaffold, whose files may have no kind; undefined for another object. */
export function toolInputProblem(written: WrittenObject): Problem | undefined {
  const { apiVersion, kind, name, $patch } = written.value
  const problem = (message: string, command: string, at = written.at([])) => ({
    message: `${message}, not a manifest`,
    at,
    hint: `render it first: \`${command} > manifests.yaml\``,
  })
  const kustomize = 'kubectl kustomize <folder>'
  if ($patch !== undefined)
    return problem('this object is a patch of kustomize', kustomize, written.keyAt(['$patch']))
  const isNamed = (file: string) => kind === undefined && written.file.split('/').at(-1) === file
  const hasGroup = (group: string) => typeof apiVersion === 'string' && apiVersion.startsWith(`${group}/`)
  if (isNamed('kustomization.yaml') || isNamed('kustomization.yml') || hasGroup('kustomize.config.k8s.io'))
    return problem('this file is input of kustomize', kustomize)
  if (isNamed('Chart.yaml') || (kind === undefined && apiVersion === 'v2' && name !== undefined))
    return problem('this file describes a chart of Helm', 'helm template <chart>')
  return hasGroup('skaffold') ? problem('this file is input of Skaffold', 'skaffold render') : undefined
}

/** The kind that a CustomResourceDefinition defines, as `group/Kind`. */
export function customKinds({ value }: WrittenObject): string[] {
  const spec = value['spec']
  if (!isRecord(spec) || !isRecord(spec['names'])) return []
  const { group } = spec
  const { kind } = spec['names']
  return typeof group === 'string' && typeof kind === 'string' ? [`${group}/${kind}`] : []
}
