import type { Announcement } from '../cluster/loadBalancers.js'
import type { Topology, Stage } from './types.js'

const folder = '/run/vethlab/silence'

/**
 * Stops nodes from answering ARP for load balancers' addresses that another node announces. In mode ipvs such an
 * address is local to every node, so that all kernels would answer. strictARP would also silence the announcing node,
 * which here has no speaker with a raw socket. Over IPv6 the kernel answers only for an interface's own addresses.
 */
export function planSilence(
  { nodes, families, ranges }: Topology,
  announced: readonly Announcement[],
  turn: number,
): Stage {
  const asked = families.includes('IPv4') ? nodes : []
  const file = (netns: string) => `${folder}/${turn}/${netns}`
  return {
    name: 'ARP filters for addresses of load balancers',
    files: asked.map(({ name, netns }) => ({
      path: file(netns),
      text: table(
        ranges.loadBalancers.IPv4,
        announced.filter(({ node, family }) => node === name && family === 'IPv4'),
      ),
    })),
    commands: [
      {
        argv: ['nsenter', '--net=/run/netns/{}', 'nft', '-f', file('{}')],
        each: asked.map(({ netns }) => netns),
      },
    ],
  }
}

/** The whole table, replacing the previous one in one nft transaction. */
function table(range: string, own: readonly Announcement[]): string {
  const elements = own.length === 0 ? '' : `; elements = { ${own.map(({ address }) => address).join(', ')} }`
  const drop = `arp operation request arp daddr ip ${range} arp daddr ip != @announced drop`
  return [
    'table arp vethlab',
    'delete table arp vethlab',
    'table arp vethlab {',
    `  set announced { type ipv4_addr${elements}; }`,
    `  chain input { type filter hook input priority filter; ${drop}; }`,
    '}',
    '',
  ].join('\n')
}
