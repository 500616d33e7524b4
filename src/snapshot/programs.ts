import { kubeProxy, networkPolicyAgent } from '../agents/meaning.js'
import { isKubeProxyChain } from '../netfilter/chainOwners.js'
import type { Rule } from '../netfilter/rules/model.js'
import type { TracedChain } from './model/state.js'

/** The chains that programs create, by the name of the program. */
const chainNames: readonly (readonly [RegExp, string])[] = [
  [/^KUBE-(FIREWALL|KUBELET-CANARY|IPTABLES-HINT)$/, 'kubelet'],
  [/^KUBE-(ROUTER|NWPLCY|CNPLCY|POD-FW|NETWORK-POLICY)/, networkPolicyAgent],
  [/^CNI-/, 'CNI plugin'],
  [/^cali-/, 'Calico'],
  [/^FLANNEL-/, 'flannel'],
  [/^CILIUM_/, 'Cilium'],
  [/^WEAVE/, 'Weave Net'],
  [/^AZURE-NPM/, 'Azure NPM'],
  [/^ANTREA-/, 'Antrea'],
  [/^AWS-/, 'AWS VPC CNI'],
  [/^ISTIO_/, 'Istio'],
  [/^DOCKER/, 'Docker'],
  [/^ufw6?-/, 'ufw'],
  [/^(FWD|IN|OUT|PRE|POST|FORWARD|INPUT|PREROUTING|POSTROUTING|OUTPUT)_/, 'firewalld'],
  [/^f2b-/, 'fail2ban'],
  [/^LIBVIRT_/, 'libvirt'],
  [/^(NETAVARK|CNI-FORWARD)/, 'Podman'],
  [/^ts-/, 'Tailscale'],
]

/** Whether a program, by its name, enforces NetworkPolicies. */
export function isPolicyAgent(owner: string | undefined): boolean {
  return owner !== undefined && policyAgents.includes(owner)
}

const policyAgents = [networkPolicyAgent, 'Calico', 'Cilium', 'Weave Net', 'Antrea', 'Azure NPM']

/**
 * The program that usually owns a rule that was read: by the chain that it is in, else by the chain to which it jumps.
 * Undefined for a rule of a built-in chain by which no program is recognised.
 */
export function programOfRule(chain: string, { target }: Rule): string | undefined {
  const jumped = target?.kind === 'jump' || target?.kind === 'goto' ? target.chain : undefined
  return programOf(chain) ?? (jumped === undefined ? undefined : programOf(jumped))
}

/** Who turned the policy of a built-in chain to DROP: the firewall whose chains are in the table, if there is just one. */
export function policyOwner(chains: ReadonlyMap<string, TracedChain>): string | undefined {
  const firewalls = new Set(
    [...chains.keys()].flatMap((chain) => {
      const program = programOf(chain)
      return program !== undefined && ['Docker', 'ufw', 'firewalld'].includes(program) ? [program] : []
    }),
  )
  // ufw and firewalld filter on purpose; Docker only protects its own bridges
  return ['ufw', 'firewalld', 'Docker'].find((program) => firewalls.has(program))
}

/** The tables that programs create in nftables, by the name of the program. */
const tableNames: readonly (readonly [RegExp, string])[] = [
  [/ kube-proxy$/, 'kube-proxy'],
  [/ kube-router-filter-ipv[46]$/, networkPolicyAgent],
  [/ (calico|cali-.*)$/, 'Calico'],
  [/ flannel-ipv[46]$/, 'flannel'],
  [/ kindnet(-.*)?$/, 'kindnet'],
  [/ cni(_.*)?$/, 'CNI plugin'],
  [/ firewalld$/, 'firewalld'],
  [/ docker(-.*)?$/, 'Docker'],
  [/ netavark$/, 'Podman'],
  [/ libvirt_network$/, 'libvirt'],
  [/ f2b-table$/, 'fail2ban'],
]

/** The program that usually owns a table of nftables; undefined if it is not recognised. */
export function programOfTable(table: string): string | undefined {
  return tableNames.find(([pattern]) => pattern.test(table))?.[1]
}

function programOf(chain: string): string | undefined {
  if (isKubeProxyChain(chain)) return kubeProxy
  return chainNames.find(([pattern]) => pattern.test(chain))?.[1]
}
