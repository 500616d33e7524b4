import { InputError } from '../../errors.js'
import { ownerProblem } from '../../host/owner.js'
import { trainerName } from './newClass.js'

/** A larger class is an error. */
export const mostParticipants = 100

/** The names of participants: those given, or `p01`, `p02`, … for a number. Throws InputError. */
export function rosterOf(words: readonly string[]): readonly string[] {
  const [first = '', ...more] = words
  const names = more.length === 0 && /^\d+$/.test(first) ? numbered(Number(first)) : words
  const problems = [
    ...names.flatMap((name) => {
      const problem = ownerProblem(name)
      return problem === undefined ? [] : [{ message: `the name of a participant ${problem}: "${name}"` }]
    }),
    ...(names.includes(trainerName) ? [{ message: `no participant can be named "${trainerName}"` }] : []),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) < index))].map((name) => ({
      message: `two participants are named "${name}"`,
    })),
  ]
  if (names.length < 1 || names.length > mostParticipants)
    problems.push({ message: `a class has from 1 to ${mostParticipants} participants` })
  if (problems.length > 0) throw new InputError(problems)
  return names
}

/** Further participants of a class, by name. Throws InputError. */
export function joinersOf(participants: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0) throw new InputError([{ message: 'no participant is named' }])
  rosterOf([...participants, ...names])
  return names
}

/** The names in a text: one a line; `#` begins a comment. */
export function namesInText(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim() || [])
}

function numbered(count: number): string[] {
  if (count > mostParticipants)
    throw new InputError([{ message: `a class has from 1 to ${mostParticipants} participants` }])
  return Array.from({ length: count }, (_, index) => `p${String(index + 1).padStart(2, '0')}`)
}
