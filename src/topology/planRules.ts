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

/** One `iptables-restore` per node and family, all at once. */
export function planRules(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  programs: RestorePrograms,
  text: RestoreText,
): Stage {
  return {
    title: 'iptables rules of the nodes',
    files: families.flatMap((family) =>
      nodes.map((node) => ({
        path: restoreFile(node.netns, family),
        text: podMasquerade(node, family) + text(node.name, family),
      })),
    ),
    commands: families.map((family) => ({
      argv: [
        'nsenter',
        '--net=/run/netns/{}',
        programs[family],
        '--noflush',
        '--counters',
        restoreFile('{}', family),
      ],
      each: nodes.map((node) => node.netns),
    })),
  }
}

/** The counting objects must be there before a rule that names them is loaded. */
export function planNfacct(nodes: readonly NodePlace[]): Stage {
  return {
    title: 'nfacct objects of the nodes',
    files: [],
    commands: nfacctObjects.map((name) => ({
      argv: ['nsenter', '--net=/run/netns/{}', 'nfacct', 'add', name],
      each: nodes.map((node) => node.netns),
    })),
  }
}

function restoreFile(netns: string, family: IpFamily): string {
  return `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
}

/** What a CNI plugin adds: pods leave the cluster masqueraded, and reach each other without NAT. */
function podMasquerade(node: NodePlace, family: IpFamily): string {
  const range = node.podRanges.find((candidate) => candidate.family === family)
  const network = node.clusterPodRange[family]
  if (range === undefined) return ''
  return (
    '*nat\n' +
    `-A POSTROUTING -s ${range.cidr} ! -d ${network} ! -o cni0 -m comment --comment "pods leave the cluster masqueraded" -j MASQUERADE\n` +
    'COMMIT\n'
  )
}
