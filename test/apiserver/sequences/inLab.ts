import { podFailed, podReady, podRemoved, podRunning } from '../../../src/cluster/changes/index.js'
import { isEnding } from '../../../src/cluster/pods/endPods.js'
import { isTerminal, podAddresses } from '../../../src/cluster/pods/podFacts.js'
import type { Cluster, Pod } from '../../../src/cluster/types.js'
import { writableLab } from '../writableLab.js'
import type { Played } from './play.js'

/** A lab without a kernel, whose kubelets do what the annotation `play` of a pod says. */
export async function playedLab(t: Parameters<typeof writableLab>[0], namespace: string): Promise<Played> {
  const lab = await writableLab(t, `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${namespace} }\n`)
  return {
    async send(method, path, body, contentType) {
      const { code, json } = await lab.send(method, path, body, contentType)
      return { code, json }
    },
    async settled() {
      let before: Cluster | undefined
      for (let round = 0; round < 200; round++) {
        if (lab.cluster() === before) return
        before = lab.cluster()
        await lab.edit((cluster) => kubelets({ ...cluster, now: new Date().toISOString() }, cluster))
      }
      throw new Error('the cluster does not settle')
    },
  }
}

/** One step of each pod's kubelet; `unchanged` if they have nothing to do. */
function kubelets(cluster: Cluster, unchanged: Cluster): Cluster {
  const next = cluster.pods.filter((pod) => podAddresses(pod).length > 0).reduce(step, cluster)
  return next === cluster ? unchanged : next
}

function step(cluster: Cluster, pod: Pod): Cluster {
  const { metadata } = pod
  const mode = metadata.annotations?.['play']
  const now = cluster.now ?? ''
  if (isEnding(pod)) return mode === 'hold' ? cluster : podRemoved(cluster, metadata)
  if (mode === 'pending' || isTerminal(pod)) return cluster
  const running = podRunning(cluster, metadata, now)
  if (mode === 'succeed') return podFailed(running, metadata, 'Succeeded')
  if (mode === 'fail') return podFailed(running, metadata, 'Failed')
  return podReady(running, metadata, mode !== 'unready', now)
}
