import type { Command } from 'commander'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'
import { upLab } from '../../up/upLab.js'

/** `vethlab restart <lab> deployment/web`. */
export function restartCommand(): Command {
  return changeCommand(
    'restart',
    'replace the pods of a workload of a lab that is up, or restart kube-proxy',
    'Rolls a Deployment, StatefulSet or DaemonSet over to new pods, as `kubectl rollout restart` does;\n' +
      '`kube-proxy/NODE` starts the kube-proxy of a node anew, `kube-proxy` those of all nodes.',
  )
    .argument('<objects...>', 'deployment/web, kube-proxy/node-a, or kube-proxy')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab restart nodeport deployment/my-app')
    .action(async (lab: string, words: string[], flags: ChangeFlags) => {
      const [prefix, node = ''] = words[0]?.split('/') ?? []
      if (prefix === 'kube-proxy') {
        const nodes = node === '' ? (await upLab(lab)).view.nodes.map(({ name }) => name) : [node]
        for (const one of nodes) await askForChange(lab, { do: 'restart-kube-proxy', node: one }, flags.wait)
        return
      }
      for (const object of objectRefs(words, flags.namespace))
        await askForChange(lab, { do: 'change', change: { kind: 'restart', object } }, flags.wait)
    })
}
