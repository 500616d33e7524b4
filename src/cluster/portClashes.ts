import type { Problem } from '../errors.js'
import { positionText, type LocatedObject } from './manifests/locatedObject.js'
import type { Workload } from './defaults/workload.js'
import type { Container, KubeObject, Pod, PodSpec } from './types.js'

/** Containers of a pod share its ports: two that declare the same port cannot both listen. */
export function portClashes(objects: readonly LocatedObject[]): Problem[] {
  return objects.flatMap((located) => {
    const template = podSpecOf(located.object)
    if (template === undefined) return []
    const holders = new Map<string, { container: Container; path: readonly (string | number)[] }>()
    return listeners(template.spec).flatMap(({ container, path }) =>
      (container.ports ?? []).flatMap((port, index): Problem[] => {
        const key = `${port.protocol ?? 'TCP'} port ${port.containerPort}`
        const at = [...template.path, ...path, 'ports', index, 'containerPort']
        const holder = holders.get(key)
        if (holder === undefined) holders.set(key, { container, path: at })
        if (holder === undefined || holder.container === container) return []
        const { kind, metadata } = located.object
        return [
          {
            message: `containers "${holder.container.name}" and "${container.name}" of ${kind} "${metadata.name}" both listen on ${key}`,
            at: located.at(at),
            hint: `containers of a pod share its network; the first is at ${positionText(located.at(holder.path))}`,
          },
        ]
      }),
    )
  })
}

function listeners(spec: PodSpec): { container: Container; path: (string | number)[] }[] {
  const own = spec.containers.map((container, index) => ({ container, path: ['containers', index] }))
  const first = (spec.initContainers ?? []).map((container, index) => ({
    container,
    path: ['initContainers', index],
  }))
  return [...own, ...first.filter(({ container }) => container['restartPolicy'] === 'Always')]
}

function podSpecOf(object: KubeObject): { spec: PodSpec; path: readonly string[] } | undefined {
  switch (object.kind) {
    case 'Pod':
      return { spec: (object as Pod).spec, path: ['spec'] }
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'Job':
    case 'StatefulSet':
    case 'DaemonSet':
      return {
        spec: (object as Workload).spec.template.spec,
        path: ['spec', 'template', 'spec'],
      }
    default:
      return undefined
  }
}
