import { Command } from 'commander'
import { kubeconfig } from '../../apiserver/kubeconfig.js'
import { upLab } from '../../up/upLab.js'
import { print } from '../output.js'

/** `vethlab kubeconfig <lab>`. */
export function kubeconfigCommand(): Command {
  return new Command('kubeconfig')
    .summary('print the kubeconfig of a lab that is up')
    .description(
      'Prints the kubeconfig of a lab that is up. Its API is read-only, and listens inside the sandbox only: kubectl\n' +
        'has to run there too. `exec` and `shell` set KUBECONFIG, so that nothing more is needed.',
    )
    .argument('<lab>', 'name of a lab that is up')
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
