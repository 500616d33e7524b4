import { matches, targets } from './extensions.js'
import { headerFlags, headerOptions } from './headerOptions.js'
import type { Option, Options } from './option.js'

/** An option with its field and its flag. */
export interface Entry {
  readonly field: string
  readonly flag: string
  readonly option: Option
}

/** The options of a match or target: to read them, and in the order in which they are printed. */
export interface OptionTable {
  readonly byFlag: ReadonlyMap<string, Entry>
  readonly entries: readonly Entry[]
}

/** Tables of the matches by name. */
export const matchTables = tablesOf(matches)

/** Tables of the targets by name. */
export const targetTables = tablesOf(targets)

/** The options that need no extension. */
export const headerTable = tableOf(headerOptions, (field) => headerFlags[field])

function tablesOf(extensions: Readonly<Record<string, Options>>): ReadonlyMap<string, OptionTable> {
  return new Map(Object.entries(extensions).map(([name, options]) => [name, tableOf(options, longFlag)]))
}

function tableOf<Of extends Options>(options: Of, flagOf: (field: keyof Of & string) => string): OptionTable {
  const entries = Object.entries(options).map(([field, option]) => ({ field, flag: flagOf(field), option }))
  return { entries, byFlag: new Map(entries.map((entry) => [entry.flag, entry])) }
}

/** `--to-destination` for `toDestination` */
function longFlag(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
