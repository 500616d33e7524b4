import { joinHostPort } from '../addresses.js'
import type { VirtualServer } from './types.js'

const protocolOption: Readonly<Record<string, string>> = { tcp: '-t', udp: '-u', sctp: '--sctp-service' }

/**
 * The virtual servers as `ipvsadm -S -n` prints them and `ipvsadm -R` reads them, sorted, each before its real servers.
 * The scheduler `mh` looks at the source port as well (mh-port), which kube-proxy asks for.
 */
export function ipvsadmLines(servers: readonly VirtualServer[]): string[] {
  return servers
    .map((server) => {
      const service = serviceOptions(server)
      const persistence = server.persistence === 0 ? '' : ` -p ${server.persistence}`
      const flags = server.scheduler === 'mh' ? ' -b mh-port' : ''
      return [
        `-A ${service} -s ${server.scheduler}${persistence}${flags}`,
        ...[...server.realServers].sort().map((real) => `-a ${service} -r ${real} -m -w 1`),
      ]
    })
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
    .flat()
}

/** The options that name a virtual server. */
export function serviceOptions({ address, port, protocol }: VirtualServer): string {
  return `${protocolOption[protocol] ?? `--${protocol}-service`} ${joinHostPort(address, port)}`
}
