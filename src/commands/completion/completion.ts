import { basename } from 'node:path'
import { Argument, Command } from 'commander'
import { listLabs } from '../../lab/file/findLab.js'
import { argumentWords, fishScript } from './fish.js'
import { print } from '../output.js'

const help = `
Example:
  $ source <(vethlab completion bash)
  $ vethlab completion fish > ~/.config/fish/completions/vethlab.fish`

/** `vethlab completion <shell>`: a script for the shell, made from the commands themselves. */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description(
      'Load the script in your shell to complete commands, options, their choices, and names of labs.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', help)
    .action(async (shell: string) => {
      // bash expands the words, and names of folders may hold anything
      const labs = listLabs()
        .map((directory) => basename(directory))
        .filter((name) => /^[\w.-]+$/.test(name))
      const commands = await loadAll()
      if (shell === 'fish') {
        print(fishScript(commands, labs))
        return
      }
      const prefix = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
      print(prefix + bashScript(commands, labs))
    })
}

function bashScript(commands: readonly Command[], labs: readonly string[]): string {
  const choices = commands.flatMap((command) =>
    command.options.flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : [`    '${command.name()} ${long}') words='${argChoices.join(' ')}' ;;`],
    ),
  )
  return `_vethlab() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${choices.join('\n')}
    *) case "\${COMP_WORDS[1]}" in
${commands.map((command) => `      ${command.name()}) words='${wordsOf(command, labs).join(' ')}' ;;`).join('\n')}
    esac ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words='${commands.map((command) => command.name()).join(' ')} help'
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _vethlab vethlab
`
}

/** What may follow the name of a command. */
function wordsOf(command: Command, labs: readonly string[]): string[] {
  return [...argumentWords(command, labs), ...command.options.flatMap(({ long }) => long ?? []), '--help']
}
