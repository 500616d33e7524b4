import type { LabContainer } from '../../host/kubeApi/pods/labContainers.js'
import { isEchoContainer } from '../../cluster/pods/containerCommand.js'
import { placeKey } from '../../topology/followPods.js'
import { planContainers } from '../../topology/planContainers.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { commandContainers } from '../../topology/placeFiles.js'
import { podPlaces } from '../../topology/followPods.js'

/** The containers of the pods that run or have ended, whose logs are kept, for the Kubernetes API. */
export function labContainers({ cluster, topology }: Pick<LabState, 'cluster' | 'topology'>): LabContainer[] {
  const phases = ['Running', 'Succeeded', 'Failed']
  const started = podPlaces(cluster, topology.places).filter(({ pod }) =>
    phases.includes(pod.status?.phase ?? 'Pending'),
  )
  const places = started.map(({ place }) => place)
  const processes = planContainers(commandContainers(cluster, places)).processes ?? []
  const withCommand = processes.flatMap(({ container, netns, files = netns, env = {}, log }) =>
    container === undefined ? [] : [{ ...container, netns, files, env, log }],
  )
  const echoes = started.flatMap(({ pod, place }) =>
    pod.spec.containers
      .filter((one) => isEchoContainer(pod, one, cluster))
      .map(({ name }) => ({
        pod: placeKey(place),
        name,
        netns: place.netns,
        files: place.netns,
        hostname: place.hostname,
        env: { HOSTNAME: place.hostname },
      })),
  )
  return [...withCommand, ...echoes]
}
