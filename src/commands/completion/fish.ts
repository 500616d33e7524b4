import type { Command } from 'commander'
import { codeNames } from '../../diagnose/codes/codes.js'

/** A completion script for fish: each command with its summary, each option with its description and choices. */
export function fishScript(commands: readonly Command[], labs: readonly string[]): string {
  const lines = [
    'complete -c vethlab -f',
    ...commands.map(
      (command) =>
        `complete -c vethlab -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.summary())}`,
    ),
    ...commands.flatMap((command) => {
      const here = `complete -c vethlab -n '__fish_seen_subcommand_from ${command.name()}'`
      const words = argumentWords(command, labs)
      return [
        ...(words.length === 0 ? [] : [`${here} -a ${quoted(words.join(' '))}`]),
        // a path: names of files too
        ...(takesLab(command) ? [`${here} -F`] : []),
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

/** Words that a command takes as arguments: its own commands, choices, names of labs, and codes of causes. */
export function argumentWords(command: Command, labs: readonly string[]): string[] {
  return [
    ...command.commands.map((inner) => inner.name()),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...(takesLab(command) ? labs : []),
    ...(command.registeredArguments.some((argument) => argument.name() === 'code') ? codeNames : []),
  ]
}

function takesLab(command: Command): boolean {
  return command.registeredArguments.some((argument) => /^labs?$/.test(argument.name()))
}

/** A word of fish: in single quotes only the quote and the backslash are special. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
