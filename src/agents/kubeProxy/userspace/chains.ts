import { comment, isLocal, jump } from '../../../netfilter/rules/build.js'
import type { Match } from '../../../netfilter/rules/model.js'
import type { UserspaceJump } from './types.js'

/** The five chains of kube-proxy in userspace mode. */
export const userspaceChain = {
  /** Traffic from pods and other hosts. */
  portalsContainer: 'KUBE-PORTALS-CONTAINER',
  /** Traffic from the node itself. */
  portalsHost: 'KUBE-PORTALS-HOST',
  nodePortContainer: 'KUBE-NODEPORT-CONTAINER',
  nodePortHost: 'KUBE-NODEPORT-HOST',
  nodePortNonLocal: 'KUBE-NODEPORT-NON-LOCAL',
} as const

/** The chains of each table. */
export const userspaceChains = {
  nat: [
    userspaceChain.portalsContainer,
    userspaceChain.portalsHost,
    userspaceChain.nodePortContainer,
    userspaceChain.nodePortHost,
  ],
  filter: [userspaceChain.nodePortNonLocal],
} as const

const portals: readonly Match[] = [comment('handle ClusterIPs; NOTE: this must be before the NodePort rules')]
const nodePorts: readonly Match[] = [
  isLocal('dst'),
  comment('handle service NodePorts; NOTE: this must be the last rule in the chain'),
]

/** The jumps; mirrors iptablesInit of pkg/proxy/userspace. */
export const userspaceJumps: readonly UserspaceJump[] = [
  {
    ...leads('PREROUTING', 'top', portals, userspaceChain.portalsContainer),
    reason: 'portalsContainer',
  },
  {
    ...leads('OUTPUT', 'top', portals, userspaceChain.portalsHost),
    reason: 'portalsHost',
  },
  {
    ...leads('PREROUTING', 'end', nodePorts, userspaceChain.nodePortContainer),
    reason: 'nodePortContainer',
  },
  {
    ...leads('OUTPUT', 'end', nodePorts, userspaceChain.nodePortHost),
    reason: 'nodePortHost',
  },
  {
    table: 'filter',
    chain: 'INPUT',
    at: 'top',
    matches: [comment('Ensure that non-local NodePort traffic can flow')],
    target: jump(userspaceChain.nodePortNonLocal),
    reason: 'nodePortNonLocal',
  },
]

function leads(chain: string, at: 'top' | 'end', matches: readonly Match[], to: string) {
  return { table: 'nat', chain, at, matches, target: jump(to) } as const
}
