import { joinHostPort } from '../../../net/socketText.js'
import type { VirtualServer } from './types.js'

const protocolOption: Readonly<Record<string, string>> = { tcp: '-t', udp: '-u', sctp: '--sctp-service' }

type Named = Pick<VirtualServer, 'address' | 'port' | 'protocol'>

/** The virtual servers as `ipvsadm -S -n` prints them and `ipvsadm -R` reads them, sorted, each before its real servers. */
export function ipvsadmLines(servers: readonly VirtualServer[]): string[] {
  return servers
    .map((server) => [
      serverLine('-A', server),
      ...[...server.realServers].sort().map((real) => realServerLine('-a', server, real, 1)),
    ])
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
    .flat()
}

/**
 * The line that adds (`-A`) or edits (`-E`) a virtual server. The scheduler `mh` also hashes the source port
 * (mh-port), as kube-proxy configures it.
 */
export function serverLine(command: '-A' | '-E', server: VirtualServer): string {
  return `${command} ${serverOptions(server)} ${serverFlags({ ...server, mhPort: server.scheduler === 'mh' })}`
}

/** The scheduling options of a virtual server. */
export function serverFlags({
  scheduler,
  persistence,
  mhPort,
}: Pick<VirtualServer, 'scheduler' | 'persistence'> & { readonly mhPort: boolean }): string {
  return `-s ${scheduler}${persistence === 0 ? '' : ` -p ${persistence}`}${mhPort ? ' -b mh-port' : ''}`
}

/** The line that adds (`-a`), edits (`-e`) or deletes (`-d`, no weight) a real server. */
export function realServerLine(
  command: '-a' | '-e' | '-d',
  server: Named,
  real: string,
  weight?: number,
): string {
  const how = weight === undefined ? '' : ` -m -w ${weight}`
  return `${command} ${serverOptions(server)} -r ${real}${how}`
}

/** The options that name a virtual server. */
export function serverOptions({ address, port, protocol }: Named): string {
  return `${protocolOption[protocol] ?? `--${protocol}-service`} ${joinHostPort(address, port)}`
}

/** The line that sets IPVS timeouts, in seconds; none if the configuration sets none. */
export function timeoutLines({
  tcpTimeout,
  tcpFinTimeout,
  udpTimeout,
}: Readonly<Record<'tcpTimeout' | 'tcpFinTimeout' | 'udpTimeout', number>>): string[] {
  const seconds = [tcpTimeout, tcpFinTimeout, udpTimeout]
  return seconds.some((value) => value > 0) ? [`--set ${seconds.map(Math.floor).join(' ')}`] : []
}
