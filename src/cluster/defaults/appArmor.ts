import { isRecord } from '../manifests/loose.js'
import { sameJson } from '../hash.js'
import type { Container, Pod } from '../types.js'

/** The annotation that selects a profile of AppArmor for a container. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** A pod with the profiles of its annotations as fields, which replaced them (applyAppArmorVersionSkew). */
export function withAppArmorFields(pod: Pod): Pod {
  const { annotations = {} } = pod.metadata
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix))) return pod
  const { securityContext, containers, initContainers } = pod.spec
  const ofPod = isRecord(securityContext) ? securityContext['appArmorProfile'] : undefined
  const container = (one: Container): Container => {
    const context = isRecord(one['securityContext']) ? one['securityContext'] : {}
    const profile = profileOf(annotations[appArmorPrefix + one.name])
    if (profile === undefined || context['appArmorProfile'] !== undefined || sameJson(profile, ofPod))
      return one
    return { ...one, securityContext: { ...context, appArmorProfile: profile } }
  }
  const changed = {
    containers: containers.map(container),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(container) }),
  }
  return { ...pod, spec: { ...pod.spec, ...changed } }
}

/** The profile that a value of the annotation means; undefined when it means none. */
function profileOf(value: string | undefined): object | undefined {
  if (value === 'runtime/default') return { type: 'RuntimeDefault' }
  if (value === 'unconfined') return { type: 'Unconfined' }
  const local = /^localhost\/(.+)$/.exec(value ?? '')?.[1]
  return local === undefined ? undefined : { type: 'Localhost', localhostProfile: local }
}
