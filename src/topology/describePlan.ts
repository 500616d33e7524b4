import type { Plan, PlannedCommand, PlannedStage } from './types.js'

/** A plan as text: for each stage the stages that it waits for, its files with their lines, and its commands. */
export function describePlan({ stages }: Plan): string {
  const numbers = new Map(stages.map(({ name }, index) => [name, index + 1]))
  return stages.map((stage) => describeStage(stage, numbers)).join('\n')
}

function describeStage(stage: PlannedStage, numbers: ReadonlyMap<string, number>): string {
  const after = stage.after.map((name) => numbers.get(name)).join(', ')
  const heading = `# ${numbers.get(stage.name)}. ${stage.name}${after === '' ? '' : ` (after ${after})`}\n`
  const commands = stage.commands.flatMap(expand).map((argv) => `$ ${argv.join(' ')}\n`)
  const processes = (stage.processes ?? []).map(
    ({ what, netns, argv }) => `$ ${argv.join(' ')}    # ${what}, in netns ${netns}, stays\n`,
  )
  const files = stage.files.map(
    ({ path, text, encoding }) =>
      `--- ${path}${encoding === undefined ? '' : ' (in base64)'}\n${text.replace(/^/gm, '    ').trimEnd()}\n`,
  )
  return [heading, ...files, ...commands, ...processes].join('')
}

/** The commands that one `each` expands to. */
function expand({ argv, each }: PlannedCommand): string[][] {
  return each === undefined
    ? [[...argv]]
    : each.map((item) => argv.map((word) => word.replaceAll('{}', item)))
}
