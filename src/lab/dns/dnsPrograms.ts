import { corefile } from '../../cluster/dns/corefile.js'
import { namedConf } from '../../cluster/dns/namedConf.js'
import type { DnsServerConfig } from '../../cluster/dns/types.js'
import { findTool, sandboxTools } from '../../host/environment.js'
import type { PlannedCommand } from '../../topology/types.js'

/** Folder of the sandbox that holds what the cluster's DNS servers read. */
export const dnsFolder = '/run/vethlab/dns'

/** A program that serves the names of a cluster from zone files. */
export interface DnsProgram {
  /** The tool that the machine must have; also how its process is called. */
  readonly tool: 'named' | 'coredns'
  /** As a manifest would name it. */
  readonly image: string
  readonly command: readonly string[]
  readonly configuration: string
  readonly configurationText: (config: DnsServerConfig) => string
  /** What has it read its configuration and its zones again, without losing a query. */
  readonly reload: 'HUP' | 'USR1'
  /** What makes it ready to run in the sandbox. */
  readonly install: readonly PlannedCommand[]
}

const corednsConfiguration = `${dnsFolder}/Corefile`

const coredns: DnsProgram = {
  tool: 'coredns',
  image: 'coredns',
  command: ['coredns', '-conf', corednsConfiguration],
  configuration: corednsConfiguration,
  configurationText: corefile,
  reload: 'USR1',
  install: [],
}

const namedConfiguration = `${dnsFolder}/named.conf`

/** BIND in the foreground, what it says on stderr. */
const named: Omit<DnsProgram, 'install'> = {
  tool: 'named',
  image: 'bind9',
  command: ['named', '-g', '-n', '1', '-c', namedConfiguration],
  configuration: namedConfiguration,
  configurationText: namedConf,
  reload: 'HUP',
}

/** CoreDNS where the machine has it, as clusters do; BIND otherwise, which distributions ship. */
export function dnsProgram(path?: string): DnsProgram {
  if (findTool('coredns', path) !== undefined) return coredns
  const binary = findTool('named', path) ?? '/usr/sbin/named'
  // Debian's and Ubuntu's AppArmor profile of /usr/sbin/named lets it read files of the machine's own DNS server alone
  const install = { argv: ['install', '-D', '-m', '755', binary, `${sandboxTools}/named`] }
  return { ...named, install: [install] }
}
