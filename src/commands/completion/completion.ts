import { basename } from 'node:path'
import { Argument, Command } from 'commander'
import { listLabs } from '../../lab/file/findLab.js'
import { listExercises } from '../../lab/workshop/findExercise.js'
import { argumentWords, type CompletedNames } from './argumentWords.js'
import { fishScript } from './fish.js'
import { print } from '../output.js'

const help = `
Example:
  $ source <(vethlab completion bash)
  $ vethlab completion fish > ~/.config/fish/completions/vethlab.fish`

/** `vethlab completion <shell>`: a script for the shell, made from the commands themselves. */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description(
      'Load the script in your shell to complete commands, options, their choices, and names of labs and exercises.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', help)
    .action(async (shell: string) => {
      const names = { labs: namesOf(listLabs()), exercises: namesOf(listExercises()) }
      const commands = await loadAll()
      if (shell === 'fish') {
        print(fishScript(commands, names))
        return
      }
      const prefix = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
      print(prefix + bashScript(commands, names))
    })
}

/** bash expands the words, and names of folders may hold anything. */
function namesOf(folders: readonly string[]): string[] {
  return folders.map((folder) => basename(folder)).filter((name) => /^[\w.-]+$/.test(name))
}

function bashScript(commands: readonly Command[], names: CompletedNames): string {
  const choices = commands.flatMap((command) =>
    command.options.flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : [`    '${command.name()} ${long}') words='${argChoices.join(' ')}' ;;`],
    ),
  )
  const innerWords = commands.flatMap((command) =>
    command.commands.flatMap((inner) => {
      const words = argumentWords(inner, names)
      return words.length === 0
        ? []
        : [`    '${command.name()} ${inner.name()}') words='${words.join(' ')}' ;;`]
    }),
  )
  return `_vethlab() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${[...choices, ...innerWords].join('\n')}
    *) case "\${COMP_WORDS[1]}" in
${commands.map((command) => `      ${command.name()}) words='${wordsOf(command, names).join(' ')}' ;;`).join('\n')}
    esac ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words='${commands.map((command) => command.name()).join(' ')} help'
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _vethlab vethlab
`
}

/** What may follow the name of a command. */
function wordsOf(command: Command, names: CompletedNames): string[] {
  return [...argumentWords(command, names), ...command.options.flatMap(({ long }) => long ?? []), '--help']
}
