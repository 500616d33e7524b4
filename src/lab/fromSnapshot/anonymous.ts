import type { KubeObject } from '../../cluster/types.js'
import type { Json } from '../../cluster/yaml/json.js'

/** Objects whose names say nothing about their cluster. */
export interface Anonymous {
  readonly objects: readonly KubeObject[]
  /** The new name of each name. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Fields with values of the API, which are no names. */
const literal =
  /^(apiVersion|kind|type|protocol|addressType|\w+Policy|sessionAffinity|appProtocol|ipFamilies|trafficDistribution|scheme|path)$/

/** Names of namespaces that every cluster has. */
const common = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease'])

/**
 * Replaces names of objects, namespaces, labels, ports and containers; equal names stay equal, so that what refers to what is the same.
 * `fixed` are names that stay, and `known` those that are given already.
 */
export function anonymous(objects: readonly KubeObject[], known: ReadonlyMap<string, string>): Anonymous {
  const renamed = new Map(known)
  const counts = new Map<string, number>()
  const rename = (role: string, name: string | undefined) => {
    if (name === undefined || name === '' || renamed.has(name) || common.has(name)) return
    const number = (counts.get(role) ?? 0) + 1
    counts.set(role, number)
    renamed.set(name, `${role}-${number}`)
  }
  for (const { kind, metadata } of objects) {
    rename(kind.toLowerCase(), metadata.name)
    rename('namespace', metadata.namespace)
  }
  const fields = objects as unknown as Json
  visit(fields, (key, value) => {
    if (key === 'labels' || key === 'selector' || key === 'annotations')
      for (const [label, one] of Object.entries(value as Record<string, string>)) {
        if (!label.includes('kubernetes.io/')) rename('label', label)
        rename('value', one)
      }
    if ((key === 'name' || key === 'hostname' || key === 'subdomain') && typeof value === 'string')
      rename('name', value)
    if (key === 'targetPort' && typeof value === 'string') rename('name', value)
  })
  return { objects: replaced(fields, renamed) as unknown as KubeObject[], renamed }
}

function visit(value: Json, see: (key: string, value: Json) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see)
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      see(key, one)
      visit(one, see)
    }
}

function replaced(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map((one) => replaced(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (literal.test(key)) return [key, one]
      if (key === 'image') return [key, 'echo']
      return [names.get(key) ?? key, replaced(one, names)]
    }),
  )
}
