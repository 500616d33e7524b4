import { Command } from 'commander'
import { printError } from '../output.js'
import { builtInKubectl } from './builtIn.js'
import { deprecatedVerbs } from './deprecatedVerbs.js'

/** `vethlab get <lab> pods`: the built-in `kubectl get pods`, after a line that names the new form. */
export function deprecatedCommand(name: string): Command {
  return new Command(name)
    .argument('<lab>', 'name of a running lab')
    .argument('[words...]', 'words of kubectl')
    .passThroughOptions()
    .action(async (lab: string, words: string[]) => {
      await runDeprecated(lab, deprecatedVerbs[name] ?? name, words)
    })
}

/** Runs former words of vethlab on a running lab as those of kubectl, and prints the new form. */
export async function runDeprecated(lab: string, verb: string, words: readonly string[]): Promise<void> {
  printError(`note: \`vethlab kubectl ${lab} ${verb} …\` replaces this command\n`)
  await builtInKubectl(lab, [...verb.split(' '), ...withDefaults(verb, words)])
}

/** Labels and annotations were overwritten, and `watch` had kinds by default. */
function withDefaults(verb: string, words: readonly string[]): readonly string[] {
  if (verb === 'label' || verb === 'annotate') return ['--overwrite', ...words]
  return verb === 'get --watch' && words.length === 0 ? ['pods'] : words
}
