import { hasKubeProxy } from '../../lab/planLab.js'
import type { StartedLab } from '../../lab/startedLab.js'
import type { UpProxyState, UpState } from './upState.js'

/** What is to be said of a lab that is up, as the last change that everything followed left it. */
export interface UpLabDescription {
  state(): Omit<UpState, 'faults'>
  proxyState(): UpProxyState
}

/** Follows a lab from here on: what it says of the lab is true of its rules, too. */
export function describeUpLab(started: StartedLab): UpLabDescription {
  const { prepared, machine, sandbox, proxiers, api, live } = started
  const { lab, config } = prepared
  const startedAt = Date.now()
  let followed = live.state()
  live.follow((state) => {
    followed = state
    return Promise.resolve()
  })
  return {
    state: () => ({
      lab: lab.name,
      title: lab.title,
      directory: lab.directory,
      startedAt,
      pid: sandbox.pid,
      rootless: sandbox.rootless,
      api: api?.url ?? '',
      view: followed.view,
      places: followed.topology.places.map(({ kind, name, namespace, netns }) => ({
        kind,
        name,
        namespace,
        netns,
      })),
    }),
    proxyState() {
      const { nodes, services, endpointSlices } = followed.cluster
      return {
        cluster: { nodes, services, endpointSlices },
        config,
        changedConfigs: Object.fromEntries(proxiers?.changedConfigs() ?? []),
        kubeProxy: hasKubeProxy(prepared),
        families: followed.topology.families,
        nfacct: machine.nfacct,
        randomFully: machine.iptables.randomFully,
        backend: machine.iptables.backend,
      }
    },
  }
}
