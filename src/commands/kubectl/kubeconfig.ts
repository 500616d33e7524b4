import { Command } from 'commander'
import { upLab } from '../../up/upLab.js'
import { print } from '../output.js'

/** `vethlab kubeconfig <lab>`. */
export function kubeconfigCommand(): Command {
  return new Command('kubeconfig')
    .description(
      'The API of a lab listens only inside its sandbox, so kubectl must run there too. `exec` and `shell` set\n' +
        'KUBECONFIG: kubectl works there without further options. The token in the kubeconfig allows all writes; roles\n' +
        '(RBAC) are not evaluated.',
    )
    .argument('<lab>', 'name of a running lab')
    .addHelpText(
      'after',
      '\nExample:\n  $ vethlab kubeconfig nodeport\n  $ vethlab exec nodeport node-a -- kubectl get svc,pods,nodes,endpointslices -A -o wide',
    )
    .action(async (name: string) => {
      const { lab, kubeconfig } = await upLab(name)
      print(`# inside the sandbox only: vethlab exec ${lab} <place> -- kubectl get svc -A\n${kubeconfig}`)
    })
}
