import type { Choice } from '../model/steps.js'

/** An option of a choice; `probability` if it is random. */
export interface Option {
  readonly name: string
  readonly probability?: number
}

/** A question that the state does not decide. */
export type Question = Pick<Choice, 'kind' | 'place' | 'question'>

/** The index of the option that is taken. */
type Decide = (question: Question, options: readonly Option[]) => number

/** The choices of one path: those given first, then the first option of each. */
export class Choices {
  readonly taken: { readonly index: number; readonly options: number; readonly choice: Choice }[] = []
  readonly #given: readonly number[]
  #aside: Decide | undefined

  constructor(given: readonly number[]) {
    this.#given = given
  }

  /** The index of the option that this path takes. */
  take(question: Question, options: readonly Option[]): number {
    if (this.#aside !== undefined) return this.#aside(question, options)
    const index = this.#given[this.taken.length] ?? 0
    const option = options[index]
    const choice = { ...question, taken: option?.name ?? '', probability: option?.probability }
    this.taken.push({ index, options: options.length, choice })
    return index
  }

  /** Runs a function whose choices are decided, and are no part of the path. */
  aside<Result>(decide: Decide, run: () => Result): Result {
    const before = this.#aside
    this.#aside = decide
    try {
      return run()
    } finally {
      this.#aside = before
    }
  }
}

/**
 * Runs a function once for every sequence of choices, in the order of their options. Stops after `limit` runs; `complete` is
 * false if some are left.
 */
export function everyPath<Result>(
  run: (choices: Choices) => Result,
  limit: number,
): { readonly results: readonly Result[]; readonly complete: boolean } {
  const results: Result[] = []
  let given: number[] | undefined = []
  while (given !== undefined && results.length < limit) {
    const choices: Choices = new Choices(given)
    results.push(run(choices))
    const indexes: number[] = choices.taken.map(({ index }) => index)
    const last: number = choices.taken.findLastIndex(({ index, options }) => index + 1 < options)
    given = last < 0 ? undefined : [...indexes.slice(0, last), (indexes[last] ?? 0) + 1]
  }
  return { results, complete: given === undefined }
}
