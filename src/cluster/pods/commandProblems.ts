import type { Problem } from '../../errors.js'
import type { LocatedObject } from '../manifests/locatedObject.js'
import type { Cluster } from '../types.js'
import { isOnlyInImage } from './containerCommand.js'
import { podOrigins } from './podOrigins.js'

/** Containers whose command only their image has, each object's once, where that is an error (`--commands strict`). */
export function commandProblems(cluster: Cluster, objects: readonly LocatedObject[]): Problem[] {
  const originOf = podOrigins(cluster, objects)
  const problems = new Map<string, Problem>()
  for (const pod of cluster.pods) {
    const origin = originOf(pod)
    for (const [index, container] of pod.spec.containers.entries()) {
      if (!isOnlyInImage(pod, container, cluster)) continue
      const { kind, metadata } = origin?.located.object ?? pod
      const [program = ''] = container.command ?? []
      const message = `${kind} "${metadata.name}": container "${container.name}" runs "${program}", which this host does not have`
      const hint = `\`images\` in lab.yaml sets what to run for ${container.image}; without \`--commands strict\` the echo server replaces it`
      const at = origin?.located.at([...origin.path, 'containers', index, 'command'])
      problems.set(`${metadata.namespace}/${message}`, { message, at, hint })
    }
  }
  return [...problems.values()]
}
