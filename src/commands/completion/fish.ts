import type { Command } from 'commander'
import { argumentWords, takesLab, type CompletedNames } from './argumentWords.js'

/** A completion script for fish: each command with its summary, each option with its description and choices. */
export function fishScript(commands: readonly Command[], names: CompletedNames): string {
  const lines = [
    'complete -c vethlab -f',
    ...commands.map(
      (command) =>
        `complete -c vethlab -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.summary())}`,
    ),
    ...commands.flatMap((command) => {
      const here = `complete -c vethlab -n '__fish_seen_subcommand_from ${command.name()}'`
      const words = argumentWords(command, names)
      return [
        ...(words.length === 0 ? [] : [`${here} -a ${quoted(words.join(' '))}`]),
        // a path: names of files too
        ...(takesLab(command) ? [`${here} -F`] : []),
        ...command.commands.flatMap((inner) => {
          const own = argumentWords(inner, names)
          const there = `complete -c vethlab -n '__fish_seen_subcommand_from ${command.name()}; and __fish_seen_subcommand_from ${inner.name()}'`
          return own.length === 0 ? [] : [`${there} -a ${quoted(own.join(' '))}`]
        }),
        ...command.options.flatMap(({ long, short, description, argChoices, required }) => {
          if (long === undefined || long === null) return []
          const value =
            argChoices === undefined ? (required ? ' -r -F' : '') : ` -x -a ${quoted(argChoices.join(' '))}`
          const letter = short === undefined || short === null ? '' : ` -s ${short.slice(1)}`
          return [`${here} -l ${long.slice(2)}${letter}${value} -d ${quoted(description)}`]
        }),
      ]
    }),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** A word of fish: in single quotes only the quote and the backslash are special. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
