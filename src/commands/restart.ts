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
      const [prefix, node = ''] = words[0]?.split('/') ?? []
      if (prefix !== 'kube-proxy') {
        await runDeprecated(lab, 'rollout restart', words)
        return
      }
      const nodes = node === '' ? (await upLab(lab)).view.nodes.map(({ name }) => name) : [node]
      for (const one of nodes) await askForChange(lab, { do: 'restart-kube-proxy', node: one })
    })
}
