import type { IpFamily } from '../cluster/types.js'
import type { NodePlace } from './layOut.js'
import type { Stage } from './types.js'

const folder = '/run/vethlab/iptables'

/** nfacct objects that kube-proxy makes before its rules name them. */
const nfacctObjects = ['ct_state_invalid_dropped_pkts', 'localhost_nps_accepted_pkts']

/** The text that iptables-restore reads on a node, by family. */
export type RestoreText = (node: string, family: IpFamily) => string

/** Names of the restore program for each family, as the machine has them. */
export type RestorePrograms = Readonly<Record<IpFamily, string>>

/**
 * Makes the counting objects, unless the other family's command was first, and becomes the command that follows; that one
 * says so when they are missing. A constant text: arguments stay arguments.
 */
const afterNfacct = [
  'sh',
  '-c',
  `${nfacctObjects.map((name) => `nfacct add ${name} 2>/dev/null; `).join('')}exec "$@"`,
  'sh',
]

/** One `iptables-restore` per node and family, all at once; where rules count with nfacct, its objects come first. */
export function planRules(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  programs: RestorePrograms,
  nfacct: boolean,
  text: RestoreText,
): Stage {
  return {
    title: 'iptables rules of the nodes',
    files: families.flatMap((family) =>
      nodes.map((node) => ({
        path: restoreFile(node.netns, family),
        text: text(node.name, family),
      })),
    ),
    commands: families.map((family) => ({
      argv: [
        ...['nsenter', '--net=/run/netns/{}'],
        ...(nfacct ? afterNfacct : []),
        ...[programs[family], '--noflush', '--counters', restoreFile('{}', family)],
      ],
      each: nodes.map((node) => node.netns),
    })),
  }
}

function restoreFile(netns: string, family: IpFamily): string {
  return `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
}
