import { joinHostPort } from '../../net/socketText.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import { buildRuleset } from '../../agents/kubeProxy/iptables/ruleset.js'

/** An address and port for which a kube-proxy must have written rules before its node is ready. */
export interface Frontend {
  readonly family: IpFamily
  readonly address: string
  /** `tcp`, `udp` or `sctp`. */
  readonly protocol: string
  readonly port: number
  /** Whether it has endpoints: a REJECT is not enough then. */
  readonly hasEndpoints: boolean
}

/** The cluster addresses and ports of all Services that a kube-proxy is responsible for, whatever its mode. */
export function frontendsOf(input: ProxyInput, families: readonly IpFamily[]): Frontend[] {
  return families.flatMap((family) =>
    buildRuleset(input, family).servicePorts.map(({ port, categories }) => ({
      family,
      address: port.clusterIP,
      protocol: port.protocolName,
      port: port.port,
      hasEndpoints: categories.any,
    })),
  )
}

/** `10.96.0.10:80/tcp`, IPv6 in brackets. */
export function frontendText({ address, port, protocol }: Frontend): string {
  return `${joinHostPort(address, port)}/${protocol}`
}
