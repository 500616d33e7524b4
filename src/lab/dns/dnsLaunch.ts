import { clusterDnsAddresses } from '../../cluster/dns/clusterDns.js'
import { namedConf, namedZoneFile } from '../../cluster/dns/namedConf.js'
import type { NamesAround } from '../../cluster/dns/podFiles.js'
import { dnsZone } from '../../cluster/dns/records.js'
import { zoneFiles } from '../../cluster/dns/zoneFiles.js'
import type { Cluster, IpFamily } from '../../cluster/types.js'
import { defaultRanges } from '../../topology/ranges.js'
import type { SandboxFile, Stage } from '../../topology/types.js'
import type { Lab } from '../types.js'
import type { PreparedDns } from './clusterDns.js'

/** Folder of the sandbox that holds what the cluster's DNS servers read. */
const folder = '/run/vethlab/dns'
const configuration = `${folder}/named.conf`

/** What a lab's DNS is known by, beside its cluster. */
export interface DnsAround {
  readonly families: readonly IpFamily[]
  readonly around: NamesAround
}

/** The command of the container that serves the records: BIND in the foreground, what it says on stderr. */
export const dnsCommand: readonly string[] = ['named', '-g', '-n', '1', '-c', configuration]

/** What a DNS server of the cluster reads, and the zones that are to be answered with this serial. */
export interface DnsFiles {
  readonly files: readonly SandboxFile[]
  readonly origins: readonly string[]
}

/** The files of the cluster's DNS server. */
export function dnsFiles(cluster: Cluster, { families, around }: DnsAround, serial: number): DnsFiles {
  const servers = clusterDnsAddresses(defaultRanges, families)
  const zones = zoneFiles(dnsZone(cluster), { serial, servers, ranges: defaultRanges, families })
  const origins = zones.map(({ origin }) => origin)
  const text = namedConf({ folder, origins, forwarders: around.outside })
  return {
    origins,
    files: [
      { path: configuration, text },
      ...zones.map((zone) => ({ path: `${folder}/${namedZoneFile(zone.origin)}`, text: zone.text })),
    ],
  }
}

/** Serial of the zones that a lab comes up with. */
export const firstSerial = 1

/** The files, before anything runs. */
export function planDns(cluster: Cluster, around: DnsAround): Stage {
  const { files } = dnsFiles(cluster, around, firstSerial)
  return { title: 'DNS of the cluster', files, commands: [] }
}

/** What the DNS of a lab is known by. */
export function dnsAround(
  { lab }: { readonly lab: Pick<Lab, 'families'> },
  { around }: PreparedDns,
): DnsAround {
  return { families: lab.families, around }
}
