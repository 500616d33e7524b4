import type { Command } from 'commander'
import { codeNames } from '../../diagnose/codes/codes.js'

/** The names that complete arguments. */
export interface CompletedNames {
  readonly labs: readonly string[]
  readonly exercises: readonly string[]
}

/** Words that a command takes as arguments: its own commands, choices, names of labs and exercises, and codes of causes. */
export function argumentWords(command: Command, { labs, exercises }: CompletedNames): string[] {
  const { registeredArguments: args } = command
  return [
    ...command.commands.map((inner) => inner.name()),
    ...args.flatMap(({ argChoices = [] }) => argChoices),
    ...(takesLab(command) ? labs : []),
    // the lab of an exercise has its name
    ...(args.some(({ description }) =>
      /^name of (a running lab|an exercise)|^names of exercises/.test(description),
    )
      ? exercises
      : []),
    ...(args.some((argument) => argument.name() === 'code') ? codeNames : []),
  ]
}

/** Whether an argument of a command is a lab. */
export function takesLab(command: Command): boolean {
  return command.registeredArguments.some((argument) => /^labs?$/.test(argument.name()))
}
