import { allElements } from '../../netfilter/nft/elements.js'
import type { NftComparison, NftElement, NftElements, NftExpression } from '../../netfilter/nft/model.js'
import type { Choices } from '../walk/choices.js'
import { probabilityText } from '../rules/chance.js'
import { rangeOf } from './matches.js'
import type { NftValue } from './values.js'

/** A random number; with `inc`, the next number of a counter that cannot be read. */
export type Numgen = Extract<NftValue, { readonly kind: 'numgen' }>

/** Where a number is drawn. */
export interface Draw {
  readonly choices: Choices
  readonly place: string
  /** `ip kube-proxy service-… 1` */
  readonly question: string
}

/** What was drawn, with its probability as text. */
export interface Drawn<Of> {
  readonly taken: Of
  readonly condition: string
}

/** Draws one of the elements of a map, or none of them. */
export function drawElement(
  number: Numgen,
  elements: NftElements,
  draw: Draw,
): Drawn<NftElement | undefined> {
  const all = [...allElements(elements)].map((element) => ({
    element,
    count: inside(number, element.key[0] ?? ''),
  }))
  const rest = number.modulus - all.reduce((sum, { count }) => sum + count, 0)
  const options = [...all, ...(rest > 0 ? [{ element: undefined, count: rest }] : [])].filter(
    ({ count }) => count > 0,
  )
  const names = options.map(({ element, count }) => ({
    name: element?.value?.replace(' . ', ':') ?? element?.text ?? 'none of the elements',
    probability: count / number.modulus,
  }))
  const index = options.length > 1 ? take(number, names, draw) : 0
  return {
    taken: options[index]?.element,
    condition: chanceText(number, names[index]?.probability ?? 1),
  }
}

/** Draws whether a number fulfils a condition; undefined for a condition that is not a number or a range. */
export function drawComparison(
  number: Numgen,
  operator: NftComparison,
  right: NftExpression,
  draw: Draw,
): Drawn<boolean> | undefined {
  const count = fulfilling(number, operator, right)
  if (count === undefined) return undefined
  const chance = count / number.modulus
  const options = [
    { name: 'applies', probability: chance },
    { name: 'next rule', probability: 1 - chance },
  ]
  const isCertain = chance === 0 || chance === 1
  const taken = isCertain ? chance === 1 : take(number, options, draw) === 0
  return { taken, condition: chanceText(number, chance) }
}

function take(
  { mode }: Numgen,
  options: readonly { readonly name: string; readonly probability: number }[],
  { choices, place, question }: Draw,
): number {
  if (mode === 'random')
    return choices.take({ kind: 'random', place, question: `${question}: random` }, options)
  const asked = `${question}: the next number of its counter`
  return choices.take(
    { kind: 'unknown', place, question: asked },
    options.map(({ name }) => ({ name })),
  )
}

function chanceText({ mode }: Numgen, probability: number): string {
  return mode === 'random' ? `random ${probabilityText(probability)}` : 'in turn'
}

/** How many of the possible numbers are in a range. */
function inside({ modulus, offset }: Numgen, word: string): number {
  const range = rangeOf(word)
  if (range === undefined) return 0
  const [first, last] = [Math.max(range.first, offset), Math.min(range.last, offset + modulus - 1)]
  return Math.max(0, last - first + 1)
}

function fulfilling(number: Numgen, operator: NftComparison, right: NftExpression): number | undefined {
  const { modulus, offset } = number
  if (right.kind === 'elements' && 'elements' in right.set) {
    const all = [...allElements(right.set.elements)]
    const count = all.reduce((sum, { key }) => sum + inside(number, key[0] ?? ''), 0)
    return operator === '!=' ? modulus - count : count
  }
  const [word = '', second] = right.kind === 'literal' ? right.words : []
  const range = rangeOf(word)
  if (range === undefined || second !== undefined) return undefined
  const among = (first: number, last: number) => inside(number, `${Math.max(first, 0)}-${Math.max(last, 0)}`)
  const end = offset + modulus
  switch (operator) {
    case 'is':
    case '==':
      return among(range.first, range.last)
    case '!':
    case '!=':
      return modulus - among(range.first, range.last)
    case '<':
      return range.first === 0 ? 0 : among(0, range.first - 1)
    case '<=':
      return among(0, range.first)
    case '>':
      return among(range.first + 1, end)
    case '>=':
      return among(range.first, end)
  }
}
