import { outsideDnsName } from '../../snapshot/model/snapshot.js'
import { addressFamily } from '../../net/ranges.js'
import { InputError, type Problem } from '../../errors.js'
import type { Topology, Place, PlannedProcess } from '../../topology/types.js'
import type { Lab } from '../types.js'

/** A DNS server outside the cluster. */
export interface OutsideDns {
  readonly place: Place
  /** Addresses by name. */
  readonly names: Readonly<Record<string, readonly string[]>>
}

/** The DNS server outside the cluster. Throws InputError for an unknown place. */
export function outsideDns({ dns, at }: Pick<Lab, 'dns' | 'at'>, topology: Topology): OutsideDns | undefined {
  if (dns?.outside === undefined) return undefined
  const path = ['dns', 'outside']
  const { on, names } = dns.outside
  const problems: Problem[] = []
  const place = topology.clients.find(({ name }) => name === on)
  if (place === undefined)
    problems.push({ message: `there is no client named "${on}"`, at: at([...path, 'on']) })
  const resolved = Object.entries(names).map(([name, value]) => {
    const found = addressesOf(value, topology)
    if (found === undefined)
      problems.push({
        message: `"${value}" is neither an address nor a node or client`,
        at: at([...path, 'names', name]),
      })
    return [name, found ?? []] as const
  })
  if (place === undefined || problems.length > 0) throw new InputError(problems)
  return { place, names: Object.fromEntries(resolved) }
}

/** dnsmasq on a client: it serves these names and no others. */
export function outsideProcess({ place, names }: OutsideDns): PlannedProcess {
  return {
    what: outsideDnsName(place.name),
    netns: place.netns,
    files: place.netns,
    argv: [
      ...['dnsmasq', '--keep-in-foreground', '--conf-file=/dev/null', '--no-resolv', '--no-hosts'],
      // it is root only in the sandbox, where it cannot set groups
      ...['--pid-file=', '--user=', '--group=', '--log-queries', '--log-facility=-', '--local-ttl=60'],
      '--local=/#/',
      ...Object.entries(names).map(([name, addresses]) => `--host-record=${[name, ...addresses].join(',')}`),
    ],
    env: {},
    listensOn: [53],
    log: `/run/vethlab/log/${place.netns}_dnsmasq`,
  }
}

function addressesOf(value: string, { nodes, clients }: Topology): string[] | undefined {
  if (addressFamily(value) !== undefined) return [value]
  return [...nodes, ...clients].find(({ name }) => name === value)?.addresses.map(({ address }) => address)
}
