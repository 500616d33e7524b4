import type { Plan, PlannedCommand, Stage } from './types.js'

/** A plan as text: stage by stage each command with its arguments, and below it each file with its lines. */
export function describePlan(plan: Plan): string {
  return plan.stages.map(describeStage).join('\n')
}

function describeStage(stage: Stage, index: number): string {
  const commands = stage.commands.flatMap(expand).map((argv) => `$ ${argv.join(' ')}\n`)
  const processes = (stage.processes ?? []).map(
    ({ what, netns, argv }) => `$ ${argv.join(' ')}    # ${what}, in netns ${netns}, stays\n`,
  )
  const files = stage.files.map(
    ({ path, text, encoding }) =>
      `--- ${path}${encoding === undefined ? '' : ' (in base64)'}\n${text.replace(/^/gm, '    ').trimEnd()}\n`,
  )
  return [`# ${index + 1}. ${stage.title}\n`, ...files, ...commands, ...processes].join('')
}

/** The commands that one `each` stands for. */
function expand({ argv, each }: PlannedCommand): string[][] {
  return each === undefined
    ? [[...argv]]
    : each.map((item) => argv.map((word) => word.replaceAll('{}', item)))
}
