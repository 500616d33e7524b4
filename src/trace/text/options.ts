import type { Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'

/** How a prediction is printed. */
export interface PredictionTextOptions {
  readonly colours: Colours
  readonly language: Language
  /** Columns. */
  readonly width: number
  /** Every rule that was evaluated, with its full text. */
  readonly all: boolean
  /** The path to print in full, from 1. */
  readonly path: number
  /** The owner of an address: the name of a pod, node, client or Service. */
  readonly nameOf: (address: string) => string | undefined
}
