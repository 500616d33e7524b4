import { Command } from 'commander'
import { serveOnHost, upLab } from '../../up/upLab.js'
import { print } from '../output.js'

/** `vethlab kubeconfig <lab>`. */
export function kubeconfigCommand(): Command {
  return new Command('kubeconfig')
    .description(
      'The API of a lab listens only inside its sandbox, where `exec` and `shell` set KUBECONFIG. With --host it is served on\n' +
        '127.0.0.1 of the host too, until the lab ends: for kubectl, k9s and other clients. The token in the kubeconfig allows all\n' +
        'writes; roles (RBAC) are not evaluated.',
    )
    .argument('<lab>', 'name of a running lab')
    .option('--host', 'serve the API on 127.0.0.1, and print the kubeconfig for clients of the host')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vethlab kubeconfig nodeport --host > nodeport.kubeconfig\n  $ kubectl --kubeconfig nodeport.kubeconfig get services\n  $ vethlab kubectl nodeport get svc,pods,nodes,endpointslices -A -o wide',
    )
    .action(async (name: string, { host }: { host?: true }) => {
      const up = await upLab(name)
      if (host === true) return print(await serveOnHost(up))
      const { lab, kubeconfig } = up
      print(`# inside the sandbox only: vethlab exec ${lab} <place> -- kubectl get svc -A\n${kubeconfig}`)
    })
}
