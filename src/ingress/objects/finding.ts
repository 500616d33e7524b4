import type { KubeObject } from '../../cluster/types.js'

/** What a controller has to say of an object; it becomes an event of that object. */
export interface Finding {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  /** One word in CamelCase, as in Kubernetes events. */
  readonly reason: string
  readonly message: string
}

/** Something about an object is not as it should be. */
export function warning(object: KubeObject, reason: string, message: string): Finding {
  return { object, type: 'Warning', reason, message }
}

/** Findings without those that say the same of the same object. */
export function once(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ object: { kind, metadata }, message }) => {
    const key = `${kind}/${metadata.namespace}/${metadata.name} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}
