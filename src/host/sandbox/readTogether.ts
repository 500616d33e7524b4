import { randomBytes } from 'node:crypto'
import { CommandError } from '../../errors.js'
import { shellWord } from '../../text/shellWord.js'
import type { CommandOptions } from './commandOptions.js'
import type { Sandbox } from './sandbox.js'

/** Commands, and what their outputs mean. */
export interface Reading<Value> {
  readonly commands: readonly (readonly string[])[]
  /** Gets the output of each command. */
  readonly parse: (outputs: readonly string[]) => Value
}

type ValuesOf<Readings extends readonly Reading<unknown>[]> = {
  readonly [Key in keyof Readings]: Readings[Key] extends Reading<infer Value> ? Value : never
}

/**
 * Carries out readings one after another in one shell: to enter a namespace takes longer than most of their commands. The input is
 * that of the first command. Throws CommandError for the first command that fails; the next ones are not run.
 */
export async function readTogether<const Readings extends readonly Reading<unknown>[]>(
  sandbox: Pick<Sandbox, 'run'>,
  what: string,
  { netns, input }: Pick<CommandOptions, 'netns' | 'input'>,
  readings: Readings,
): Promise<ValuesOf<Readings>> {
  const commands = readings.flatMap((reading) => reading.commands)
  const outputs = await outputsOf(sandbox, what, { netns, input }, commands)
  let taken = 0
  return readings.map((reading) => {
    const own = outputs.slice(taken, taken + reading.commands.length)
    taken += reading.commands.length
    return reading.parse(own)
  }) as unknown as ValuesOf<Readings>
}

async function outputsOf(
  sandbox: Pick<Sandbox, 'run'>,
  what: string,
  where: Pick<CommandOptions, 'netns' | 'input'>,
  commands: readonly (readonly string[])[],
): Promise<readonly string[]> {
  if (commands.length === 0) return []
  // no output has this line
  const end = randomBytes(16).toString('hex')
  const script = commands
    .map((argv) => argv.map(shellWord).join(' '))
    .join(` && printf '\\n%s\\n' ${end} && `)
  const result = await sandbox.run(['sh', '-c', script], where)
  const outputs = result.stdout.split(`\n${end}\n`)
  if (result.exitCode === 0) return outputs
  throw new CommandError({ what, argv: commands[outputs.length - 1] ?? [], netns: where.netns, ...result })
}
