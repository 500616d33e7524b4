import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { splitPort } from '../../net/socketText.js'
import type { Listener } from '../../trace/model/state.js'

/**
 * The sockets of TCP and UDP on which a namespace receives from any sender. Those of the plan have its names, all others one
 * name. Undefined if the namespace has ended meanwhile, or without ss.
 */
export async function listenersNow(
  sandbox: Sandbox,
  netns: string,
  planned: readonly Listener[],
  otherName: string,
): Promise<Listener[] | undefined> {
  const argv = ['ss', '--no-header', '--listening', '--numeric', '--tcp', '--udp']
  const { stdout, exitCode } = await sandbox.run(argv, { netns })
  if (exitCode !== 0) return undefined
  return parseListeners(stdout).map((socket) => {
    const { protocol, port } = socket
    const same = planned.find((one) => one.netns === netns && one.protocol === protocol && one.port === port)
    const { name = otherName, relay } = same ?? {}
    return { netns, name, ...socket, ...(relay && { relay }) }
  })
}

/**
 * The sockets in the output of ss(8), with the columns Netid, State, Recv-Q, Send-Q and Local Address:Port: of all addresses for
 * `*:80`, of all of one family for `0.0.0.0:80` and `[::]:80`.
 */
export function parseListeners(text: string): Pick<Listener, 'protocol' | 'port' | 'address' | 'family'>[] {
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
