import type { NodePlace, Stage } from './types.js'

const folder = '/run/vethlab/ipsets'

/** The sets that rules of iptables name, besides those of kube-proxy: one `ipset restore` per node that has any. */
export function planSets(nodes: readonly NodePlace[], textOf: (node: NodePlace) => string): Stage {
  const texts = nodes
    .map((node) => ({ netns: node.netns, text: textOf(node) }))
    .filter(({ text }) => text !== '')
  return {
    name: 'ipsets of the nodes',
    files: texts.map(({ netns, text }) => ({ path: `${folder}/${netns}`, text })),
    commands: [
      {
        argv: ['nsenter', '--net=/run/netns/{}', 'ipset', 'restore', '-file', `${folder}/{}`],
        each: texts.map(({ netns }) => netns),
      },
    ],
  }
}
