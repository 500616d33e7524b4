import { fieldOf, resourceOf } from './downwardApi.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { findData, type DataKind, type Missing, type PodData } from './podData.js'
import type { Container, EnvVar, Pod } from '../types.js'

type Path = Missing['path']

/**
 * The environment of a container as kubelet creates it: envFrom, then env, with references to the pod, ConfigMaps and
 * Secrets. `path` is the path of the container in the pod's spec.
 */
export function containerEnv(
  pod: Pod,
  container: Container,
  data: PodData,
  path: Path = ['containers', pod.spec.containers.indexOf(container)],
): { env: Record<string, string>; missing: Missing[] } {
  const env: Record<string, string> = {}
  const missing: Missing[] = []
  for (const [index, source] of records(container['envFrom']).entries()) {
    for (const [field, kind] of [
      ['configMapRef', 'configmap'],
      ['secretRef', 'secret'],
    ] as const) {
      const reference = source[field]
      if (!isRecord(reference)) continue
      const name = text(reference['name'])
      const found = findData(pod, kind, name, data)
      if (found === undefined && reference['optional'] !== true)
        missing.push({
          message: `${kind} "${name}" not found`,
          path: [...path, 'envFrom', index, field, 'name'],
        })
      for (const [key, value] of found ?? []) {
        if (value.includes(0))
          missing.push({ message: zeroByte(kind, name, key), path: [...path, 'envFrom', index, field] })
        else env[`${text(source['prefix'])}${key}`] = value.toString()
      }
    }
  }
  for (const [index, variable] of (container.env ?? []).entries()) {
    const { value, problem } = valueOf(variable, pod, container, data, [...path, 'env', index, 'valueFrom'])
    if (problem !== undefined) missing.push(problem)
    if (value !== undefined) env[variable.name] = expand(value, env)
  }
  return { env, missing }
}

function valueOf(
  { value = '', valueFrom }: EnvVar,
  pod: Pod,
  container: Container,
  data: PodData,
  path: Path,
): { value?: string | undefined; problem?: Missing } {
  if (valueFrom === undefined) return { value }
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom
  if (isRecord(fieldRef)) return { value: fieldOf(pod, text(fieldRef['fieldPath'])) }
  if (isRecord(resourceFieldRef)) return { value: resourceOf(pod, container, resourceFieldRef) }
  if (isRecord(configMapKeyRef))
    return dataValue(pod, 'configmap', configMapKeyRef, data, [...path, 'configMapKeyRef'])
  return isRecord(secretKeyRef) ? dataValue(pod, 'secret', secretKeyRef, data, [...path, 'secretKeyRef']) : {}
}

function dataValue(
  pod: Pod,
  kind: DataKind,
  reference: Readonly<Record<string, unknown>>,
  data: PodData,
  path: Path,
): { value?: string; problem?: Missing } {
  const name = text(reference['name'])
  const key = text(reference['key'])
  const held = findData(pod, kind, name, data)
  const found = held?.get(key)
  if (found?.includes(0) === true)
    return { problem: { message: zeroByte(kind, name, key), path: [...path, 'key'] } }
  if (found !== undefined) return { value: found.toString() }
  if (reference['optional'] === true) return {}
  const place = `${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${pod.metadata.namespace ?? 'default'}/${name}`
  return held === undefined
    ? { problem: { message: `${kind} "${name}" not found`, path: [...path, 'name'] } }
    : { problem: { message: `couldn't find key ${key} in ${place}`, path: [...path, 'key'] } }
}

// No container runtime starts a process with such an environment.
function zeroByte(kind: DataKind, name: string, key: string): string {
  return `key ${key} of ${kind} "${name}" contains a zero byte, which an environment cannot`
}

/**
 * `$(NAME)` is replaced by a variable that was set before, `$$` by a dollar sign (kubelet's
 * third_party/forked/golang).
 */
export function expand(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (env[name] ?? whole),
  )
}
