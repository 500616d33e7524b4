import type { IpFamily } from '../../net/ipFamily.js'
import { parseConntrack } from '../../netfilter/conntrack.js'
import type { ConntrackEntry } from '../../netfilter/types.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** The UDP entries of one family in a namespace. */
export async function readUdpEntries(
  sandbox: Sandbox,
  netns: string,
  family: IpFamily,
): Promise<ConntrackEntry[]> {
  const argv = ['conntrack', '-L', '-p', 'udp', ...familyOption(family)]
  return parseConntrack((await sandbox.must('reading conntrack', argv, { netns })).stdout)
}

/**
 * Deletes entries by their complete tuples, all with one process (`conntrack -R`, conntrack-tools 1.4.7), or one by one
 * with older versions; returns the deleted ones, without those that expired in the meantime.
 */
export async function deleteUdpEntries(
  sandbox: Sandbox,
  netns: string,
  family: IpFamily,
  entries: readonly ConntrackEntry[],
): Promise<ConntrackEntry[]> {
  const commands = entries.map((entry) => deletion(entry, family))
  if (commands.length === 0) return []
  if (commands.length > 1) {
    const input = commands.map((words) => `${words.join(' ')}\n`).join('')
    const { exitCode, stdout } = await sandbox.run(['conntrack', '-R', '-'], { netns, input })
    if (exitCode === 0) return parseConntrack(stdout)
  }
  const deleted: ConntrackEntry[] = []
  for (const words of commands) {
    const { stdout } = await sandbox.run(['conntrack', ...words], { netns })
    deleted.push(...parseConntrack(stdout))
  }
  return deleted
}

/** Arguments of conntrack that match exactly one entry. */
function deletion({ original, reply }: ConntrackEntry, family: IpFamily): string[] {
  return [
    ...['-D', ...familyOption(family), '-p', 'udp'],
    ...['--orig-src', original.source.address, '--orig-dst', original.destination.address],
    ...['--sport', String(original.source.port ?? 0), '--dport', String(original.destination.port ?? 0)],
    ...['--reply-src', reply.source.address, '--reply-dst', reply.destination.address],
    ...['--reply-port-src', String(reply.source.port ?? 0)],
    ...['--reply-port-dst', String(reply.destination.port ?? 0)],
  ]
}

function familyOption(family: IpFamily): string[] {
  return ['-f', family === 'IPv4' ? 'ipv4' : 'ipv6']
}
