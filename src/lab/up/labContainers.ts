import type { LabContainer } from '../../host/kubeApi/pods/labContainers.js'
import { isEchoContainer } from '../../cluster/pods/containerCommand.js'
import { placeKey } from '../../topology/followPods.js'
import { planContainers } from '../../topology/planContainers.js'
import type { LabState } from '../live/types.js'
import { commandContainers } from '../plan/placeFiles.js'
import { podPlaces } from '../plan/podPlaces.js'

/** The containers of the pods that run, for the Kubernetes API. */
export function labContainers({ cluster, topology }: Pick<LabState, 'cluster' | 'topology'>): LabContainer[] {
  const running = podPlaces(cluster, topology.places).filter(({ pod }) => pod.status?.phase === 'Running')
  const places = running.map(({ place }) => place)
  const processes = planContainers(commandContainers(cluster, places)).processes ?? []
  const withCommand = processes.flatMap(({ container, netns, files = netns, env = {}, log }) =>
    container === undefined ? [] : [{ ...container, netns, files, env, log }],
  )
  const echoes = running.flatMap(({ pod, place }) =>
    pod.spec.containers
      .filter((one) => isEchoContainer(pod, one, cluster))
      .map(({ name }) => ({
        pod: placeKey(place),
        name,
        netns: place.netns,
        files: place.netns,
        env: { HOSTNAME: place.name },
      })),
  )
  return [...withCommand, ...echoes]
}
