import { addressFamily, canonicalAddress, isIPv4Mapped, rangeContains, rangeOf } from '../../net/ranges.js'
import type { Problem } from '../../errors.js'
import type { AddressRanges } from '../../net/addressRanges.js'
import { valueAt } from './explain.js'
import type { YamlFile } from './readYaml.js'

/** Problems with the addresses of clients of a cluster with these ranges; checks raw values. */
export function checkClients(file: YamlFile, ranges: AddressRanges): Problem[] {
  const clients = valueAt(file.value, ['topology', 'clients'])
  const families = familiesOf(file)
  const seen = new Set<string>()
  return (Array.isArray(clients) ? clients : []).flatMap((_, client) => {
    const path = ['topology', 'clients', client, 'addresses']
    const addresses = valueAt(file.value, path)
    return (Array.isArray(addresses) ? (addresses as unknown[]) : []).flatMap((address, index) => {
      if (typeof address !== 'string' || address === '') return []
      const at = [...path, index]
      const problem = addressProblem(address, families, ranges) ?? taken(address, seen)
      return problem === undefined ? [] : [{ ...problem, at: file.at(at) }]
    })
  })
}

function familiesOf(file: YamlFile): readonly unknown[] {
  const families = valueAt(file.value, ['topology', 'families'])
  return Array.isArray(families) && families.length > 0 ? families : ['IPv4']
}

function addressProblem(
  address: string,
  families: readonly unknown[],
  { fabric, pods, services, loadBalancers }: AddressRanges,
): Problem | undefined {
  const family = addressFamily(address)
  if (family === undefined || isIPv4Mapped(address))
    return { message: `"${address}" is not an IP address`, hint: 'write one such as 203.0.113.7' }
  if (!families.includes(family))
    return {
      message: `the lab has no ${family}, so no client can have ${address}`,
      hint: 'topology.families says which families it has',
    }
  const ranges = {
    fabric,
    'pod network': pods,
    'Service range': services,
    'load balancer pool': loadBalancers,
  }
  for (const [what, range] of Object.entries(ranges))
    if (rangeContains(rangeOf(range[family]), address))
      return {
        message: `${address} is an address of the ${what} ${range[family]}`,
        hint: 'without addresses a client gets one beside the nodes',
      }
  return unusable(address)
}

/** Addresses that no host on a network can have. */
function unusable(address: string): Problem | undefined {
  const ranges = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'fe80::/10', 'ff00::/8']
  return ranges.some((range) => rangeContains(rangeOf(range), address))
    ? { message: `${address} is not an address that a host can have` }
    : undefined
}

function taken(address: string, seen: Set<string>): Problem | undefined {
  const key = canonicalAddress(address)
  if (seen.has(key)) return { message: `two clients have the address ${address}` }
  seen.add(key)
  return undefined
}
