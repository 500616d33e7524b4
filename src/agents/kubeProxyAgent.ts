import { kubeProxy, type RuleMeaning } from './meaning.js'
import { type NodeAgent } from './agent.js'

/** kube-proxy, where vethlab writes its rules. */
export const kubeProxyAgent: NodeAgent = {
  owner: kubeProxy,
  rulesOf(_cluster, { kubeProxy: proxied }, family) {
    if (proxied === undefined) return { restore: '', native: () => '', meanings: () => new Map() }
    const { mode, input } = proxied
    return {
      restore: mode.restoreText(input, family),
      native: () => (mode.ownTable === undefined ? '' : mode.render(input, family)),
      meanings() {
        const rules = mode.catalogue?.(input, family) ?? mode.virtualServers?.(input, family).rules ?? []
        return new Map(
          rules.map(({ table, line, spec, why, object }): [string, RuleMeaning] => [
            mode.ownTable === undefined ? `${table} ${line}` : line,
            { spec, owner: kubeProxy, why, object },
          ]),
        )
      },
    }
  },
}
