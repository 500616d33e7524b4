import { hasVeth } from '../topology/followPods.js'
import { watchedBy } from '../snapshot/model/kubeProxy.js'
import { proxyInputs } from '../snapshot/fromPlan/proxyInputs.js'
import { firstRequest } from '../lab/steps/firstRequest.js'
import type { RunningLab } from '../lab/up/runningLab.js'
import type { UpProxyState, UpState } from './upState.js'

/** The state of a running lab after the last change that all its parts have applied. */
export interface UpLabDescription {
  state(): Omit<UpState, 'faults'>
  proxyState(): UpProxyState
}

/** Follows a lab from now on: the state that it returns is also that of the lab's rules. */
export function describeUpLab(running: RunningLab): UpLabDescription {
  const { prepared, machine, sandbox, api, live } = running
  const { lab } = prepared
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
      kubeconfig: api?.kubeconfig ?? '',
      view: followed.view,
      firstRequest: firstRequest(lab),
      places: followed.topology.places.map((place) => {
        const { kind, name, namespace, hostname, netns, interfaces, node } = place
        const link = hasVeth(place) ? { veth: place.veth, vethIndex: place.vethIndex } : {}
        return { kind, name, namespace, hostname, netns, node, interfaces: [...interfaces], ...link }
      }),
    }),
    proxyState() {
      const { randomFully, backend } = machine.iptables
      const facts = { nfacct: machine.nfacct, randomFully }
      const { families } = followed.topology
      const { kubeProxy } = running.model()
      if (kubeProxy.kind === 'none') return { families, backend }
      const { topology, cluster } = followed
      const seen = { topology, cluster: watchedBy(kubeProxy, cluster) }
      const { config, ownConfigs = {} } = kubeProxy
      return { inputs: { ...proxyInputs(seen, config, facts), ownConfigs }, families, backend }
    },
  }
}
