import type { Command } from 'commander'
import { changeCommand, objectRefs, type ChangeFlags } from './control/changeCommand.js'
import { askForChange } from './control/client.js'

/** `vethlab restart <lab> deployment/web`. */
export function restartCommand(): Command {
  return changeCommand(
    'restart',
    'replace the pods of a workload of a lab that is up, or restart kube-proxy',
    'Rolls a Deployment, StatefulSet or DaemonSet over to new pods, as `kubectl rollout restart` does;\n' +
      '`kube-proxy/NODE` starts the kube-proxy of a node anew.',
  )
    .argument('<objects...>', 'deployment/web, or kube-proxy/node-a')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab restart nodeport deployment/my-app')
    .action(async (lab: string, words: string[], flags: ChangeFlags) => {
      const [prefix, node = ''] = words[0]?.split('/') ?? []
      if (prefix === 'kube-proxy') return askForChange(lab, { do: 'restart-kube-proxy', node }, flags.wait)
      for (const object of objectRefs(words, flags.namespace))
        await askForChange(lab, { do: 'change', change: { kind: 'restart', object } }, flags.wait)
    })
}
