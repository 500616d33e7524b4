import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { CheckFinding } from './types.js'

/** What is wrong on nodes, whichever request is sent. */
export function nodeFindings({ model, state }: Snapshot): CheckFinding[] {
  return model.topology.nodes.flatMap(({ name, netns }) => {
    const sysctls = state.sysctls.get(netns) ?? {}
    return [...conntrackFull(name, sysctls)]
  })
}

/** Connection tracking refuses new connections at its limit. */
function conntrackFull(node: string, sysctls: Readonly<Record<string, string | number>>): CheckFinding[] {
  const count = Number(sysctls['net.netfilter.nf_conntrack_count'])
  const most = Number(sysctls['net.netfilter.nf_conntrack_max'])
  if (!(most > 0) || !(count >= most * 0.95)) return []
  return [
    {
      says: `connection tracking of ${node} has ${count} of at most ${most} entries: new connections are dropped when it is full`,
      code: 'conntrack-full',
      node,
      affects: [],
      fixes: [
        {
          says: `a higher limit on ${node}`,
          command: `sysctl -w net.netfilter.nf_conntrack_max=${most * 2}`,
        },
      ],
    },
  ]
}
