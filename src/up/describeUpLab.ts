import { proxyInputs } from '../lab/plan/planProxies.js'
import type { RunningLab } from '../lab/up/runningLab.js'
import type { UpProxyState, UpState } from './upState.js'

/** What is to be said of a lab that is up, as the last change that everything followed left it. */
export interface UpLabDescription {
  state(): Omit<UpState, 'faults'>
  proxyState(): UpProxyState
}

/** Follows a lab from here on: what it says of the lab is true of its rules, too. */
export function describeUpLab(running: RunningLab): UpLabDescription {
  const { prepared, machine, sandbox, proxiers, api, live } = running
  const { lab, kubeProxy } = prepared
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
      const { randomFully, backend } = machine.iptables
      const facts = { nfacct: machine.nfacct, randomFully }
      const { families } = followed.topology
      if (kubeProxy.kind === 'none') return { families, backend }
      const inputs = proxyInputs(followed, kubeProxy.config, facts)
      return { inputs: { ...inputs, ownConfigs: proxiers?.changedConfigs() ?? {} }, families, backend }
    },
  }
}
