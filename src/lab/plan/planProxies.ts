import type { IpFamily } from '../../net/ipFamily.js'
import { firstHealthServers, proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import { inputOfNode } from '../../proxy/input.js'
import { withhold } from '../../proxy/iptables/withheld.js'
import { stagesOf } from './modes/index.js'
import type { PlanFacts } from './planFacts.js'
import type { PreparedLab } from './prepareLab.js'

/** What the kube-proxies of a lab add to its plan; undefined if they are not built in. */
export function planProxies(prepared: PreparedLab, facts: PlanFacts) {
  const { kubeProxy, topology } = prepared
  if (kubeProxy.kind !== 'built-in') return undefined
  const { mode, config } = kubeProxy
  const { withheld, healthz = false } = facts
  const inputs = proxyInputs(prepared, config, facts)
  const inputOf = (node: string) => inputOfNode(inputs, node)
  return {
    ...stagesOf[mode.name]({ topology, inputOf, facts }),
    nfacctObjects: facts.nfacct ? mode.nfacctObjects : [],
    sysctls: (node: string) => mode.sysctls(inputOf(node)),
    /** For iptables-restore. */
    restoreText(node: string, family: IpFamily) {
      return withhold(mode.restoreText(inputOf(node), family), withheld, { node, family })
    },
    healthServers: (node: string) => firstHealthServers(prepared, inputOf(node), healthz),
  }
}
