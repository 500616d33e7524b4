import { Command } from 'commander'
import { builtInKubectl } from './builtIn.js'
import { hasKubectl, hostKubectl } from './hostKubectl.js'

const help = `
The API of a lab listens only inside the lab, so kubectl runs there: it reads the files of -f, and no others of yours. After a
change the command waits for the lab to settle.

Without kubectl on this host, a built-in one has the verbs of the lessons.

Examples:
  $ vethlab kubectl nodeport get pods,svc,endpointslices -o wide
  $ vethlab kubectl nodeport scale deployment/my-app --replicas=3
  $ vethlab kubectl nodeport apply -f service.yaml`

interface KubectlFlags {
  readonly builtIn?: boolean
}

/** `vethlab kubectl <lab> get pods`. */
export function kubectlCommand(): Command {
  return new Command('kubectl')
    .description('The words are those of kubectl, and the exit code is its own.')
    .argument('<lab>', 'name of a running lab')
    .argument('<words...>', 'words of kubectl')
    .option('--built-in', 'the built-in kubectl, also where this host has one')
    .passThroughOptions()
    .addHelpText('after', help)
    .action(async (lab: string, words: string[], { builtIn = false }: KubectlFlags) => {
      const own = words[0] === '--' ? words.slice(1) : words
      if (builtIn || !(await hasKubectl(lab))) await builtInKubectl(lab, own)
      else process.exitCode = await hostKubectl(lab, own)
    })
}
