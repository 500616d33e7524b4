import { corefile } from '../../cluster/dns/corefile.js'
import { namedConf } from '../../cluster/dns/namedConf.js'
import type { DnsServerConfig } from '../../cluster/dns/types.js'
import { findTool, sandboxTools } from '../../host/environment.js'
import type { PlannedCommand } from '../../topology/types.js'

/** Folder of the sandbox with the files of the cluster's DNS servers. */
export const dnsFolder = '/run/vethlab/dns'

/** A program that serves the names of a cluster from zone files. */
export interface DnsProgram {
  /** The tool that the host must have; also the name of its process. */
  readonly tool: 'named' | 'coredns'
  /** The image of its pods. */
  readonly image: string
  readonly command: readonly string[]
  readonly configuration: string
  readonly configurationText: (config: DnsServerConfig) => string
  /** The signal to reload configuration and zones without losing a query. */
  readonly reload: 'HUP' | 'USR1'
  /** The commands that install it in the sandbox. */
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

/** BIND in the foreground, logging to stderr. */
const named: Omit<DnsProgram, 'install'> = {
  tool: 'named',
  image: 'bind9',
  command: ['named', '-g', '-n', '1', '-c', namedConfiguration],
  configuration: namedConfiguration,
  configurationText: namedConf,
  reload: 'HUP',
}

/** CoreDNS if the host has it, as in clusters; otherwise BIND, which distributions package. */
export function dnsProgram(path?: string): DnsProgram {
  if (findTool('coredns', path) !== undefined) return coredns
  const binary = findTool('named', path) ?? '/usr/sbin/named'
  // the AppArmor profile of /usr/sbin/named in Debian and Ubuntu allows only the files of the host's own DNS server
  const install = { argv: ['install', '-D', '-m', '755', binary, `${sandboxTools}/named`] }
  return { ...named, install: [install] }
}
