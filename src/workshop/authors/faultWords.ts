import type { Exercise } from '../../lab/workshop/types.js'

/** Words without a meaning of their own. */
const functionWords = new Set(
  'all and any are for but from has have into its not one that the this through was with without'.split(' '),
)

/**
 * The words of a text that name a fault or its solution: those of the faults (names and commands) and of the commands of the solution,
 * unless the task has them too. Upper case, digits and endings do not matter: `readinessProbe` is "readiness" and "probe".
 */
export function faultWords(exercise: Exercise, text: string): readonly string[] {
  const { name: own, faults, solution, texts } = exercise
  // the commands of the task have the name
  const inTask = wordsOf(texts.en.task.replaceAll(own, ''))
  const inFault = wordsOf(
    [...faults.flatMap(({ name, action }) => [name, actionText(action)]), ...solution.map(argumentsOf)].join(
      ' ',
    ),
  )
  return [...wordsOf(text)].filter((word) => inFault.has(word) && !inTask.has(word))
}

/** A command without "vethlab", its verb and the name of the lab, and the verb of kubectl. */
function argumentsOf(command: string): string {
  const words = command.split(' ')
  return words.slice(words[1] === 'kubectl' ? 4 : 3).join(' ')
}

/** What an action does, without the words of its own fields. */
function actionText({ kind: _kind, ...fields }: Exercise['faults'][number]['action']): string {
  if ('argv' in fields) return fields.argv.join(' ')
  return Object.values(fields)
    .map((value) => JSON.stringify(value))
    .join(' ')
}

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const words = (plain.match(/[a-z]{3,}/g) ?? []).filter((word) => !functionWords.has(word))
  return new Set(words.map(stem))
}

/** "drops", "dropped" and "dropping" are "drop". */
function stem(word: string): string {
  return word.replace(/([bdgmnprt])\1(?:ed|ing)$/, '$1').replace(/(?<=..)(?:s|ed|ing)$/, '')
}
