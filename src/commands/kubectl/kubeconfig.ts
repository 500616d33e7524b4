import { Command } from 'commander'
import { kubeconfig } from '../../apiserver/kubeconfig.js'
import { upLab } from '../../up/upLab.js'
import { print } from '../output.js'

/** `vethlab kubeconfig <lab>`. */
export function kubeconfigCommand(): Command {
  return new Command('kubeconfig')
    .description(
      'The API of a lab is read-only and listens only inside its sandbox, so kubectl must run there too. `exec` and\n' +
        '`shell` set KUBECONFIG: kubectl works there without further options.',
    )
    .argument('<lab>', 'name of a running lab')
    .addHelpText(
      'after',
      '\nExample:\n  $ sudo vethlab kubeconfig nodeport\n  $ sudo vethlab exec nodeport node-a -- kubectl get svc,pods,nodes,endpointslices -A -o wide',
    )
    .action(async (name: string) => {
      const { lab, api } = await upLab(name)
      print(
        `# inside the sandbox only: vethlab exec ${lab} <place> -- kubectl get svc -A\n${kubeconfig(api, lab)}`,
      )
    })
}
