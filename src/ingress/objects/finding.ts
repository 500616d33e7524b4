import type { KubeObject } from '../../cluster/types.js'

/** A finding of a controller about an object; it becomes an event of the object. */
export interface Finding {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  /** One word in CamelCase, as in Kubernetes events. */
  readonly reason: string
  readonly message: string
}

/** A finding of type Warning. */
export function warning(object: KubeObject, reason: string, message: string): Finding {
  return { object, type: 'Warning', reason, message }
}

/** Findings without duplicates for the same object. */
export function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ object: { kind, metadata }, message }) => {
    const key = `${kind}/${metadata.namespace}/${metadata.name} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}
