import { canonicalJson, fnv32, fnv32a, safeDigits } from '../hash.js'
import type { DaemonSet, PodTemplate, StatefulSet } from '../types.js'
import { goDump } from './goDump.js'

/**
 * The hash of a pod template with its defaults, in the names of a ReplicaSet and its pods: FNV of the dumped Go struct
 * (ComputeHash of pkg/controller of Kubernetes 1.36; a later version with another field in it has other hashes).
 */
export function templateHash(template: PodTemplate): string {
  return safeDigits(fnv32a(goDump('PodTemplateSpec', template)))
}

/** The hash in the name of the ControllerRevision of a template (a DaemonSet hashes it like a Deployment). */
export function revisionHash(owner: StatefulSet | DaemonSet): string {
  if (owner.kind === 'DaemonSet') return templateHash(owner.spec.template)
  // with the count of collisions (HashControllerRevision)
  return safeDigits(fnv32(`${goJson(revisionData(owner.spec.template))}0`))
}

/** What a ControllerRevision keeps of a template: a strategic merge patch for an undo, with sorted keys. */
export function revisionData(template: PodTemplate): object {
  return JSON.parse(canonicalJson({ spec: { template: { ...template, $patch: 'replace' } } })) as object
}

/** JSON as Go writes it, which escapes what HTML would read as markup. */
function goJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
