import { isRecord, records, text } from './loose.js'
import { findConfigMap, type ConfigMapData, type Missing } from './podVolumes.js'
import type { Container, EnvVar, Pod } from './types.js'

/** The environment of a container as kubelet makes it: envFrom, then env, with references to the pod and ConfigMaps. */
export function containerEnv(
  pod: Pod,
  container: Container,
  configMaps: readonly ConfigMapData[],
): { env: Record<string, string>; missing: Missing[] } {
  const env: Record<string, string> = {}
  const missing: Missing[] = []
  for (const source of records(container['envFrom'])) {
    const reference = source['configMapRef']
    if (!isRecord(reference)) continue
    const name = text(reference['name'])
    const found = findConfigMap(pod, name, configMaps)
    if (found === undefined && reference['optional'] !== true)
      missing.push({ message: `configmap "${name}" not found` })
    for (const [key, value] of Object.entries(found?.data ?? {}))
      env[`${text(source['prefix'])}${key}`] = value
  }
  for (const variable of container.env ?? []) {
    const { value, problem } = valueOf(variable, pod, configMaps)
    if (problem !== undefined) missing.push(problem)
    if (value !== undefined) env[variable.name] = expand(value, env)
  }
  return { env, missing }
}

function valueOf(
  { value = '', valueFrom }: EnvVar,
  pod: Pod,
  configMaps: readonly ConfigMapData[],
): { value?: string | undefined; problem?: Missing } {
  if (valueFrom === undefined) return { value }
  const { fieldRef, configMapKeyRef } = valueFrom
  if (isRecord(fieldRef)) return { value: fieldOf(pod, text(fieldRef['fieldPath'])) }
  if (!isRecord(configMapKeyRef)) return {}
  const name = text(configMapKeyRef['name'])
  const key = text(configMapKeyRef['key'])
  const configMap = findConfigMap(pod, name, configMaps)
  const found = configMap?.data?.[key]
  if (found !== undefined) return { value: found }
  if (configMapKeyRef['optional'] === true) return {}
  const message =
    configMap === undefined
      ? `configmap "${name}" not found`
      : `couldn't find key ${key} in ConfigMap ${name}`
  return { problem: { message } }
}

/** What the downward API lets a container know of its pod; undefined for a field that it does not offer. */
function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const [, map, key] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? []
  if (map !== undefined && key !== undefined)
    return (map === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? ''
  const fields: Record<string, string | undefined> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace ?? 'default',
    'metadata.uid': metadata.uid ?? '',
    'spec.nodeName': spec.nodeName ?? '',
    'spec.serviceAccountName': text(spec['serviceAccountName']) || 'default',
    'status.hostIP': status?.hostIP ?? '',
    'status.podIP': status?.podIP ?? '',
    'status.podIPs': (status?.podIPs ?? []).map(({ ip }) => ip).join(','),
  }
  return fields[path]
}

/** `$(NAME)` stands for a variable that was set before, `$$` for a dollar sign (kubelet's third_party/forked/golang). */
export function expand(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (env[name] ?? whole),
  )
}
