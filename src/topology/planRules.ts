import type { IpFamily } from '../net/ipFamily.js'
import { longLockWait } from '../netfilter/lockWait.js'
import type { NodePlace, Stage } from './types.js'

const folder = '/run/vethlab/iptables'

/** The text that iptables-restore reads on a node, by family. */
export type RestoreText = (node: NodePlace, family: IpFamily) => string

/** Names of the host's restore program for each family. */
export type RestorePrograms = Readonly<Record<IpFamily, string>>

/**
 * Creates the accounting objects, unless the other family's command was first, and executes the command that follows; that
 * one reports if they are missing.
 */
function afterNfacct(objects: readonly string[]): string[] {
  const script = objects.map((name) => `nfacct add ${name} 2>/dev/null; `).join('')
  return ['sh', '-c', `${script}exec "$@"`, 'sh']
}

/** One `iptables-restore` per node and family, all at once; if rules count with nfacct, its objects come first. */
export function planRules(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  programs: RestorePrograms,
  nfacctObjects: readonly string[],
  text: RestoreText,
): Stage {
  return {
    name: 'iptables rules of the nodes',
    files: families.flatMap((family) =>
      nodes.map((node) => ({
        path: restoreFile(node.netns, family),
        text: text(node, family),
      })),
    ),
    commands: families.map((family) => ({
      argv: [
        ...['nsenter', '--net=/run/netns/{}'],
        ...(nfacctObjects.length > 0 ? afterNfacct(nfacctObjects) : []),
        ...[programs[family], ...longLockWait, '--noflush', '--counters', restoreFile('{}', family)],
      ],
      each: nodes.map((node) => node.netns),
    })),
  }
}

function restoreFile(netns: string, family: IpFamily): string {
  return `${folder}/${netns}.${family === 'IPv4' ? 'v4' : 'v6'}`
}
