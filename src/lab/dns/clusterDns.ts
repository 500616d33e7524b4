import { clusterDnsAddresses, clusterDnsObjects } from '../../cluster/dns/clusterDns.js'
import type { NamesAround } from '../../cluster/dns/podFiles.js'
import type { LocatedObject } from '../../cluster/manifests/manifests.js'
import { clientAddresses } from '../../topology/layOut.js'
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
export function namesAround({ dns, clients, ranges, families }: Lab): NamesAround {
  const index = clients.findIndex(({ name }) => name === dns?.outside?.on)
  const client = clients[index]
  return {
    clusterDns: clusterDnsAddresses(ranges, families),
    outside:
      client === undefined
        ? []
        : clientAddresses(client, index, ranges, families).map(({ address }) => address),
  }
}

/** The objects that `dns: true` adds to a cluster. */
export function dnsObjects({ ranges, families }: Lab, program: DnsProgram): readonly LocatedObject[] {
  return clusterDnsObjects(ranges, families, {
    name: program.tool,
    image: program.image,
    command: program.command,
  })
}
