import type { Problem } from '../../errors.js'
import type { YamlFile } from '../file/readYaml.js'
import type { ExerciseFile } from './schema.js'

/** Expectations that are judged by captured packets alone. */
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

/** A lab that stays up keeps no captures, so what only they show cannot be checked in it. */
export function needsCaptures(checks: ExerciseFile['checks'], { keyAt }: YamlFile): Problem[] {
  return checks.flatMap(({ expect }, index) =>
    byPackets
      .filter((key) => Object.hasOwn(expect ?? {}, key))
      .map((key) => ({
        message: `"${key}" in check ${index + 1} is seen in captures, and an exercise has none`,
        hint: 'ask for what the participant sees: an answer, clientAddress, servedBy, object',
        at: keyAt(['checks', index, 'expect', key]),
      })),
  )
}
