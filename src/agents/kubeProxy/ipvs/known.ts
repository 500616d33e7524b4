import { portField } from '../servicePort.js'
import type { ObjectField } from '../../meaning.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import type { CataloguedRule } from '../cataloguedRule.js'
import type { ProxyInput } from '../input.js'
import { restoreRule } from '../iptables/restoreRule.js'
import { savedSpec } from '../iptables/savedRule.js'
import { explainIpvsRule } from './explained/explainIpvsRule.js'
import { pickText, serverAbout } from './explained/serverText.js'
import { ipsetLines, listedEntry } from './ipset.js'
import { existingServers, ipvsPorts } from './ports.js'
import { nameInFamily, type SetName } from './sets.js'
import { buildIpvs } from './state.js'
import { ipvsDevice, type VirtualServer } from './types.js'

/** A virtual server, and what is known about it. */
export interface KnownServer extends VirtualServer {
  readonly why: string
  readonly object: ObjectField
}

/** An entry of an ipset, and the Service behind it. */
export interface KnownEntry {
  /** The set and the entry, as ipset lists them. */
  readonly set: string
  readonly entry: string
  /** The field of the Service. */
  readonly why: string
  readonly object: ObjectField
}

/** What a mode has in the kernel besides rules, and what its rules and entries are for. */
export interface VirtualServers {
  /** A device whose addresses are the node’s own. */
  readonly device: string
  readonly addresses: readonly string[]
  /** Input of `ipset restore`. */
  readonly sets: readonly string[]
  readonly entries: readonly KnownEntry[]
  readonly servers: readonly KnownServer[]
  readonly rules: readonly CataloguedRule[]
}

/** Everything that kube-proxy in IPVS mode creates on one node in one family, with the Services behind it. */
export function knownIpvs(input: ProxyInput, family: IpFamily): VirtualServers {
  const state = buildIpvs(input, family)
  const ports = ipvsPorts(input, family)
  const portOf = new Map(ports.flatMap(({ port, servers }) => servers.map((server) => [server, port])))
  return {
    device: ipvsDevice,
    addresses: state.addresses,
    sets: ipsetLines(state),
    entries: ports.flatMap(({ port, entries }) =>
      entries.flatMap(([name, entry]): KnownEntry[] => {
        const why = fields[name]
        if (why === undefined) return []
        return [{ set: nameInFamily(name, family), entry: listedEntry(entry), why, object: portField(port) }]
      }),
    ),
    servers: [...existingServers(ports).values()].flatMap((server): KnownServer[] => {
      const port = portOf.get(server)
      if (port === undefined) return []
      const why = `${serverAbout(server, port, 'en')}: ${pickText(server, 'en')}`
      return [{ ...server, why, object: portField(port) }]
    }),
    rules: rulesOf(state, input.node.metadata.name),
  }
}

function rulesOf(state: ReturnType<typeof buildIpvs>, node: string): CataloguedRule[] {
  const { family, jumps } = state
  const all = [
    ...jumps.map((rule) => ({ table: rule.table, rule, command: '-I' }) as const),
    ...(['nat', 'filter'] as const).flatMap((table) =>
      state[table].rules.map((rule) => ({ table, rule, command: '-A' }) as const),
    ),
  ]
  return all.map(({ table, rule, command }) => ({
    ...{ node, family, table, chain: rule.chain },
    line: restoreRule(rule, command),
    spec: savedSpec(rule, family),
    why: explainIpvsRule(rule, 'en'),
    object: rule.port && portField(rule.port),
  }))
}

/** The field of a Service by which it is in a set; all ports of a Service share its address in KUBE-IPVS-IPS. */
const fields: Readonly<Record<SetName, string | undefined>> = {
  'KUBE-LOOP-BACK': 'spec.selector',
  'KUBE-CLUSTER-IP': 'spec.clusterIP',
  'KUBE-EXTERNAL-IP': 'spec.externalIPs',
  'KUBE-EXTERNAL-IP-LOCAL': 'spec.externalIPs',
  'KUBE-LOAD-BALANCER': 'status.loadBalancer.ingress',
  'KUBE-LOAD-BALANCER-FW': 'spec.loadBalancerSourceRanges',
  'KUBE-LOAD-BALANCER-LOCAL': 'spec.externalTrafficPolicy',
  'KUBE-LOAD-BALANCER-SOURCE-IP': 'spec.loadBalancerSourceRanges',
  'KUBE-LOAD-BALANCER-SOURCE-CIDR': 'spec.loadBalancerSourceRanges',
  'KUBE-NODE-PORT-TCP': 'spec.ports[].nodePort',
  'KUBE-NODE-PORT-LOCAL-TCP': 'spec.externalTrafficPolicy',
  'KUBE-NODE-PORT-UDP': 'spec.ports[].nodePort',
  'KUBE-NODE-PORT-LOCAL-UDP': 'spec.externalTrafficPolicy',
  'KUBE-NODE-PORT-SCTP-HASH': 'spec.ports[].nodePort',
  'KUBE-NODE-PORT-LOCAL-SCTP-HASH': 'spec.externalTrafficPolicy',
  'KUBE-HEALTH-CHECK-NODE-PORT': 'spec.healthCheckNodePort',
  'KUBE-IPVS-IPS': undefined,
}
