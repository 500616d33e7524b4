import { Command } from 'commander'
import { upLab } from '../up/upLab.js'
import { runDeprecated } from './kubectl/deprecated.js'
import { askForChange } from './orders.js'

/** `vethlab restart <lab> kube-proxy/node-a`. */
export function restartCommand(): Command {
  return new Command('restart')
    .description('It reads its configuration, and writes every rule again.')
    .argument('<lab>', 'name of a running lab')
    .argument('<what...>', 'kube-proxy/NODE, or kube-proxy for that of every node')
    .allowUnknownOption()
    .addHelpText('after', '\nExample:\n  $ vethlab restart nodeport kube-proxy/node-a')
    .action(async (lab: string, words: string[]) => {
      if (!words.every((word) => /^kube-proxy(\/|$)/.test(word))) {
        await runDeprecated(lab, 'rollout restart', words)
        return
      }
      const named = words.map((word) => word.split('/')[1] ?? '')
      const nodes = named.includes('') ? (await upLab(lab)).view.nodes.map(({ name }) => name) : named
      for (const node of nodes) await askForChange(lab, { do: 'restart-kube-proxy', node })
    })
}
