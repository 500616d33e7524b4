import { clusterDnsAddresses } from '../../cluster/dns/clusterDns.js'
import type { NamesAround } from '../../cluster/dns/podFiles.js'
import { dnsZone, type DnsObjects } from '../../cluster/dns/records.js'
import { zoneFileName, zoneFiles } from '../../cluster/dns/zoneFiles.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster } from '../../cluster/types.js'
import { defaultRanges } from '../../net/addressRanges.js'
import type { SandboxFile, Stage } from '../../topology/types.js'
import type { Lab } from '../types.js'
import type { PreparedDns } from './clusterDns.js'
import { dnsFolder as folder, type DnsProgram } from './dnsPrograms.js'

/** What the DNS files contain besides the objects of the cluster. */
export interface DnsAround {
  readonly families: readonly IpFamily[]
  readonly around: NamesAround
  readonly program: DnsProgram
}

/** The files of a DNS server of the cluster, and the zones that must be served with this serial. */
export interface DnsFiles {
  readonly files: readonly SandboxFile[]
  readonly origins: readonly string[]
}

/** The files of the cluster's DNS server. */
export function dnsFiles(
  cluster: DnsObjects & Pick<Cluster, 'serviceRanges'>,
  { families, around, program }: DnsAround,
  serial: number,
): DnsFiles {
  const ranges = { ...defaultRanges, services: cluster.serviceRanges ?? defaultRanges.services }
  const servers = clusterDnsAddresses(ranges, families)
  const zones = zoneFiles(dnsZone(cluster), { serial, servers, ranges, families })
  const origins = zones.map(({ origin }) => origin)
  const text = program.configurationText({ folder, origins, forwarders: around.outside })
  return {
    origins,
    files: [
      { path: program.configuration, text },
      ...zones.map((zone) => ({ path: `${folder}/${zoneFileName(zone.origin)}`, text: zone.text })),
    ],
  }
}

/** Serial of the zones when a lab starts. */
export const firstSerial = 1

/** The stage that writes the files and installs the program, before any pod runs. */
export function planDns(cluster: Cluster, around: DnsAround): Stage {
  const { files } = dnsFiles(cluster, around, firstSerial)
  return { name: 'DNS of the cluster', files, commands: around.program.install }
}

/** The addresses and names around the cluster that its DNS files need. */
export function dnsAround(
  { lab }: { readonly lab: Pick<Lab, 'families'> },
  { around, program }: Pick<PreparedDns, 'around' | 'program'>,
): DnsAround {
  return { families: lab.families, around, program }
}
