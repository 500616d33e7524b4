import { addressWords } from '../../net/address.js'
import { joinHostPort } from '../../net/socketText.js'
import { tracedServerName, type TracedRealServer, type TracedServer } from '../../snapshot/model/balancing.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Choices, Option } from './choices.js'

/** The real server of a new connection, and how likely it was; undefined if none gets new connections. */
export interface Scheduled {
  readonly real: TracedRealServer
  readonly probability?: number | undefined
}

/**
 * Picks a real server as the scheduler of the kernel does (net/netfilter/ipvs of Linux). What depends on earlier connections
 * of other clients is a choice: with equal shares, or not decided where all connections would go to one real server.
 */
export function schedule(
  server: TracedServer,
  packet: TracedPacket,
  place: string,
  choices: Choices,
): Scheduled | undefined {
  const { scheduler, realServers } = server
  const usable = realServers.filter(({ weight }) => weight > 0)
  const [first] = usable
  if (first === undefined) return undefined
  const picked = computed(server, usable, packet)
  // a hash finds real servers of weight 0 too, and the connection then gets none
  if (picked !== undefined) return picked.weight > 0 ? { real: picked } : undefined
  if (usable.length === 1) return { real: first }
  const total = usable.reduce((sum, { weight }) => sum + weight, 0)
  const chance = ({ weight }: TracedRealServer) =>
    weighted.has(scheduler) ? weight / total : equal.has(scheduler) ? 1 / usable.length : undefined
  const isRandom = chance(first) !== undefined && !(scheduler === 'mh' && isOnePort(packet))
  const options = usable.map((real): Option => {
    const probability = isRandom ? chance(real) : undefined
    return { name: joinHostPort(real.address, real.port), ...(probability !== undefined && { probability }) }
  })
  const question = `IPVS ${tracedServerName(server)}: ${scheduler}`
  const index = choices.take({ kind: isRandom ? 'random' : 'unknown', place, question }, options)
  return { real: usable[index] ?? first, probability: options[index]?.probability }
}

/** Schedulers that give each real server the same share in the long run; mh hashes ports that callers choose. */
const equal: ReadonlySet<string> = new Set(['rr', 'lc', 'mh'])

/** Those whose shares are the weights. */
const weighted: ReadonlySet<string> = new Set(['wrr', 'wlc', 'sed', 'nq', 'twos'])

/** What a scheduler computes from the packet, or from the order of its real servers; undefined for others. */
function computed(
  { scheduler, realServers, address }: TracedServer,
  usable: readonly TracedRealServer[],
  packet: TracedPacket,
): TracedRealServer | undefined {
  switch (scheduler) {
    case 'sh': {
      // a real server has as many buckets in a row as its weight
      const turns = realServers.flatMap((real) =>
        Array<TracedRealServer>(Math.max(1, real.weight)).fill(real),
      )
      return turns[bucketOf(packet.source.address) % turns.length]
    }
    case 'dh':
      return realServers[bucketOf(address) % realServers.length]
    case 'fo':
      return usable.reduce((best, real) => (real.weight > best.weight ? real : best))
    default:
      return undefined
  }
}

function isOnePort({ source: { port } }: TracedPacket): boolean {
  return port?.first === port?.last
}

/** One of 256 buckets by the hash of an address (ip_vs_sh_hashkey and ip_vs_dh_hashkey of Linux). */
function bucketOf(address: string): number {
  const folded = addressWords(address).reduce((all, word) => all ^ word, 0)
  return Math.imul(folded, 0x61c88647) >>> 24
}
