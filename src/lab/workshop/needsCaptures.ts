import type { Problem } from '../../errors.js'
import type { YamlFile } from '../file/readYaml.js'
import type { ExerciseFile } from './schema.js'

/** Expectations that are evaluated with captured packets only. */
const byPackets = [
  'dnat',
  'snat',
  'nat',
  'answerFrom',
  'hops',
  'crosses',
  'avoids',
  'relayed',
  'paths',
] as const

/** A running lab keeps no captures, so checks that need them are invalid. */
export function needsCaptures(checks: ExerciseFile['checks'], { keyAt }: YamlFile): Problem[] {
  return checks.flatMap(({ expect }, index) =>
    byPackets
      .filter((key) => Object.hasOwn(expect ?? {}, key))
      .map((key) => ({
        message: `"${key}" in check ${index + 1} needs captures, which an exercise does not have`,
        hint: 'check what the participant sees: an answer, clientAddress, servedBy, object',
        at: keyAt(['checks', index, 'expect', key]),
      })),
  )
}
