import type { Listener } from '../model/state.js'
import { splitPort } from '../../net/socketText.js'

/** A socket that receives from any sender. */
export type Socket = Pick<Listener, 'protocol' | 'port' | 'address' | 'family'>

/**
 * The sockets in the output of ss(8), with the columns Netid, State, Recv-Q, Send-Q and Local Address:Port: of all addresses for
 * `*:80`, of all of one family for `0.0.0.0:80` and `[::]:80`.
 */
export function parseListeners(text: string): Socket[] {
  return text.split('\n').flatMap((line) => {
    const [protocol, , , , local = ''] = line.trim().split(/\s+/)
    if (protocol !== 'tcp' && protocol !== 'udp') return []
    // an address may name its interface (127.0.0.53%lo:53), and one of IPv6 may be that of IPv4
    const socket = local.replace(/%[^\]:]*/, '').replace(/^\[::ffff:(\d+\.[\d.]+)\]/, '$1')
    const { host = '', port } = splitPort(socket) ?? {}
    if (port === undefined) return []
    if (host === '*') return [{ protocol, port }]
    if (host === '0.0.0.0') return [{ protocol, port, family: 'IPv4' as const }]
    if (host === '::') return [{ protocol, port, family: 'IPv6' as const }]
    return [{ protocol, port, address: host }]
  })
}
