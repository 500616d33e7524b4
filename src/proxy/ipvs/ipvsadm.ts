import { joinHostPort } from '../../net/socketText.js'
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
 * What adds (`-A`) a virtual server, or edits it (`-E`). The scheduler `mh` looks at the source port as well (mh-port),
 * which kube-proxy asks for.
 */
export function serverLine(command: '-A' | '-E', server: VirtualServer): string {
  return `${command} ${serverOptions(server)} ${serverFlags({ ...server, mhPort: server.scheduler === 'mh' })}`
}

/** The options that say how a virtual server picks. */
export function serverFlags({
  scheduler,
  persistence,
  mhPort,
}: Pick<VirtualServer, 'scheduler' | 'persistence'> & { readonly mhPort: boolean }): string {
  return `-s ${scheduler}${persistence === 0 ? '' : ` -p ${persistence}`}${mhPort ? ' -b mh-port' : ''}`
}

/** What adds (`-a`) a real server, edits it (`-e`), or deletes it (`-d`), which has no weight. */
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

/** What hands the kernel kube-proxy's timeouts, in seconds; none where the configuration is silent on all of them. */
export function timeoutLines({
  tcpTimeout,
  tcpFinTimeout,
  udpTimeout,
}: Readonly<Record<'tcpTimeout' | 'tcpFinTimeout' | 'udpTimeout', number>>): string[] {
  const seconds = [tcpTimeout, tcpFinTimeout, udpTimeout]
  return seconds.some((value) => value > 0) ? [`--set ${seconds.map(Math.floor).join(' ')}`] : []
}
