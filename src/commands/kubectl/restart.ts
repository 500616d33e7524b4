import type { Command } from 'commander'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../orders.js'
import { upLab } from '../../up/upLab.js'

/** `vethlab restart <lab> deployment/web`. */
export function restartCommand(): Command {
  return changeCommand(
    'restart',
    'Deployments, StatefulSets and DaemonSets roll over to new pods, as with `kubectl rollout restart`.\n' +
      '`kube-proxy/NODE` restarts the kube-proxy of a node, `kube-proxy` that of every node.',
  )
    .argument('<objects...>', 'deployment/web, kube-proxy/node-a, or kube-proxy')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab restart nodeport deployment/my-app')
    .action(async (lab: string, words: string[], flags: ChangeFlags) => {
      const [prefix, node = ''] = words[0]?.split('/') ?? []
      if (prefix === 'kube-proxy') {
        const nodes = node === '' ? (await upLab(lab)).view.nodes.map(({ name }) => name) : [node]
        for (const one of nodes) await askForChange(lab, { do: 'restart-kube-proxy', node: one })
        return
      }
      for (const ref of objectRefs(words, flags.namespace))
        await askForChange(lab, { do: 'write', writes: [{ verb: 'restart', ref }] })
    })
}
