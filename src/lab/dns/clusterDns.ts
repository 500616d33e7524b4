import { clusterDnsAddresses, clusterDnsObjects } from '../../cluster/dns/clusterDns.js'
import type { NamesAround } from '../../cluster/dns/podFiles.js'
import type { LocatedObject } from '../../cluster/manifests/manifests.js'
import { clientAddresses } from '../../topology/layOut.js'
import { defaultRanges, type AddressRanges } from '../../net/addressRanges.js'
import type { Lab } from '../types.js'
import type { DnsProgram } from './dnsPrograms.js'
import type { OutsideDns } from './outsideDns.js'

/** The DNS of a lab's cluster, and the DNS server outside. */
export interface PreparedDns {
  readonly around: NamesAround
  readonly program: DnsProgram
  readonly outside: OutsideDns | undefined
}

/** Addresses of the DNS servers of a lab, known before other addresses. */
export function namesAround(lab: Lab): NamesAround {
  const { dns, clients, families } = lab
  const index = clients.findIndex(({ name }) => name === dns?.outside?.on)
  const client = clients[index]
  return {
    clusterDns: clusterDnsAddresses(rangesOf(lab), families),
    outside:
      client === undefined
        ? []
        : clientAddresses(client, index, defaultRanges, families).map(({ address }) => address),
  }
}

/** The objects that `dns: true` adds to a cluster. */
export function dnsObjects(lab: Lab, program: DnsProgram): readonly LocatedObject[] {
  return clusterDnsObjects(rangesOf(lab), lab.families, {
    name: program.tool,
    image: program.image,
    command: program.command,
  })
}

function rangesOf({ serviceRanges: services = defaultRanges.services }: Lab): AddressRanges {
  return { ...defaultRanges, services }
}
