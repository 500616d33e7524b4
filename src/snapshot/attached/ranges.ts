import type { Cluster, Node, Pod, Service } from '../../cluster/types.js'
import { defaultRanges, type AddressRanges } from '../../net/addressRanges.js'
import { networkHolds, parseNetwork } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { addressNumber, addressText } from '../../net/ranges.js'

/** The ranges of a cluster, and how each is known. */
export interface InferredRanges {
  readonly ranges: AddressRanges
  /** `services 10.43.0.0/16 (of the flag --service-cluster-ip-range)` */
  readonly notes: readonly string[]
}

interface Known {
  readonly cidr: string
  readonly by: string
}

const families = ['IPv4', 'IPv6'] as const

/**
 * The ranges of pods, Services and nodes: what flags and objects declare, or else the smallest usual ranges that hold the addresses.
 */
export function inferRanges(
  { nodes, pods, services }: Pick<Cluster, 'nodes' | 'pods' | 'services'>,
  /** Declared elsewhere: `clusterCIDR` of kube-proxy. */
  declared: { readonly pods?: string | undefined; readonly services?: string | undefined } = {},
): InferredRanges {
  const serviceRange = (family: IpFamily): Known | undefined =>
    written(flagOf(pods, 'service-cluster-ip-range') ?? declared.services, family, 'a flag or object') ??
    around(addressesOfServices(services), family, 16, 'the cluster IPs')
  const podRange = (family: IpFamily): Known | undefined => {
    const own = [...podCIDRs(nodes), ...pods.flatMap(podAddresses)].filter((one) => familyOf(one) === family)
    const known = written(flagOf(pods, 'cluster-cidr') ?? declared.pods, family, 'clusterCIDR')
    // that of kube-proxy can be another one
    const network = parseNetwork(known?.cidr ?? '')
    const holdsAll =
      network !== undefined && own.every((one) => networkHolds(network, one.replace(/\/.*/, '')))
    return holdsAll ? known : (around(own, family, 16, 'the addresses of pods') ?? known)
  }
  const nodeRange = (family: IpFamily) =>
    around(nodes.flatMap(nodeAddresses), family, 24, 'the addresses of nodes')
  const all = { services: serviceRange, pods: podRange, nodes: nodeRange }
  const range = (of: (family: IpFamily) => Known | undefined, usual: AddressRanges['pods']) => ({
    IPv4: of('IPv4')?.cidr ?? usual.IPv4,
    IPv6: of('IPv6')?.cidr ?? usual.IPv6,
  })
  return {
    ranges: {
      ...defaultRanges,
      fabric: range(nodeRange, defaultRanges.fabric),
      pods: range(podRange, defaultRanges.pods),
      services: range(serviceRange, defaultRanges.services),
    },
    notes: Object.entries(all).flatMap(([what, of]) =>
      families.flatMap((family) => {
        const known = of(family)
        return known === undefined ? [] : [`${what} ${known.cidr} (by ${known.by})`]
      }),
    ),
  }
}

function written(text: string | undefined, family: IpFamily, by: string): Known | undefined {
  const cidr = text?.split(',').find((one) => one.trim() !== '' && familyOf(one) === family)
  return cidr === undefined ? undefined : { cidr: cidr.trim(), by }
}

/** The value of a flag of a control-plane pod: `--service-cluster-ip-range=10.96.0.0/12`. */
function flagOf(pods: readonly Pod[], flag: string): string | undefined {
  for (const { metadata, spec } of pods) {
    if (metadata.namespace !== 'kube-system' || !/^kube-(apiserver|controller-manager)/.test(metadata.name))
      continue
    for (const { command = [], args = [] } of spec.containers)
      for (const word of [...command, ...args])
        if (typeof word === 'string' && word.startsWith(`--${flag}=`)) return word.slice(flag.length + 3)
  }
  return undefined
}

/** The smallest range of a prefix length that is a multiple of 4 and at most `longest` that holds all addresses. */
function around(
  addresses: readonly string[],
  family: IpFamily,
  longest: number,
  by: string,
): Known | undefined {
  const own = addresses.filter((address) => familyOf(address) === family)
  if (own.length === 0) return undefined
  const bits = family === 'IPv4' ? 32 : 128
  const numbers = own.map((address) => addressNumber(address.replace(/\/.*/, '')))
  const first = numbers.reduce((a, b) => (a < b ? a : b))
  const last = numbers.reduce((a, b) => (a > b ? a : b))
  let length = family === 'IPv4' ? longest : longest * 4
  const start = (number: bigint) => number >> BigInt(bits - length)
  while (length > 0 && start(first) !== start(last)) length -= 4
  return { cidr: `${addressText(family, start(first) << BigInt(bits - length))}/${length}`, by }
}

function addressesOfServices(services: readonly Service[]): string[] {
  return services.flatMap(({ spec }) =>
    (spec.clusterIPs ?? [spec.clusterIP ?? '']).filter((address) => address !== 'None' && address !== ''),
  )
}

function podCIDRs(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ spec }) => spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR]))
}

function podAddresses({ spec, status }: Pod): string[] {
  return spec.hostNetwork === true ? [] : (status?.podIPs ?? []).map(({ ip }) => ip)
}

function nodeAddresses({ status }: Node): string[] {
  return (status?.addresses ?? []).flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : []))
}
