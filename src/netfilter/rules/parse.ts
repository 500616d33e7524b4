import type { Match, Rule, Target } from './model.js'
import type { Negatable } from './option.js'
import { canonicalRule } from './render.js'
import { headerTable, matchTables, targetTables, type OptionTable } from './table.js'
import { splitWords } from './words.js'

/**
 * Reads a rule as iptables-save or ip6tables-save print it, without `-A CHAIN`. It never fails: a match or target with
 * an option without a type is kept as text, and so is the whole rule if `renderRule` would print it differently.
 */
export function parseRule(spec: string): Rule {
  const words = splitWords(spec)
  const header: Fields = {}
  const parts: Part[] = []
  let part: Part | undefined
  for (let at = 0; at < words.length;) {
    const begun = beginPart(words, at)
    if (begun) {
      parts.push((part = begun))
      at += 2
      continue
    }
    const ofPart = part ? readOption(part.table, part.fields, words, at) : 0
    const taken = ofPart || readOption(headerTable, header, words, at)
    const implied = taken === 0 && part?.table === undefined ? impliedPart(header, words, at) : undefined
    if (implied) {
      parts.push((part = implied))
      continue
    }
    if (taken === 0 || ofPart > 0) {
      if (!part) parts.push((part = { command: '', name: '', fields: {}, words: [], table: undefined }))
      if (taken === 0) part.table = undefined
      for (let index = at; index < at + (taken || 1); index++) part.words.push(words[index] ?? '')
    }
    at += taken || 1
  }
  const rule = assemble(header, parts)
  return canonicalRule(rule) === spec ? rule : { ...rule, written: spec }
}

type Fields = Record<string, unknown>

/** A match or target while it is read. */
interface Part {
  /** `-m`, `-j` or `-g`; empty for words before the first of them that are not iptables options. */
  readonly command: string
  readonly name: string
  readonly fields: Fields
  /** The text after the name. */
  readonly words: string[]
  /** Undefined for a part that is kept as text. */
  table: OptionTable | undefined
}

function beginPart(words: readonly string[], at: number): Part | undefined {
  const command = words[at] ?? ''
  const name = words[at + 1]
  if ((command !== '-m' && command !== '-j' && command !== '-g') || name === undefined) return undefined
  const tables = command === '-m' ? matchTables : targetTables
  return { command, name, fields: {}, words: [], table: command === '-g' ? undefined : tables.get(name) }
}

/** `-p tcp --dport 80` stands for `-p tcp -m tcp --dport 80`: people write it, and some programs print it. */
function impliedPart(header: Fields, words: readonly string[], at: number): Part | undefined {
  const { value: protocol, negated } = (header['protocol'] ?? {}) as Partial<Negatable<unknown>>
  if (typeof protocol !== 'string' || negated === true) return undefined
  const table = matchTables.get(protocol)
  const option = words[at] === '!' ? words[at + 1] : words[at]
  if (table?.byFlag.has(option ?? '') !== true) return undefined
  return { command: '-m', name: protocol, fields: {}, words: [], table }
}

/** Reads an option into its field; returns the number of its words, 0 if there is no option. */
function readOption(
  table: OptionTable | undefined,
  fields: Fields,
  words: readonly string[],
  at: number,
): number {
  if (table === undefined) return 0
  const negated = words[at] === '!'
  const flagAt = negated ? at + 1 : at
  const entry = table.byFlag.get(words[flagAt] ?? '')
  if (entry === undefined || fields[entry.field] !== undefined) return 0
  const { field, option } = entry
  if (!('format' in option)) {
    if (negated && option.shape === 'flag') return 0
    fields[field] = !negated
    return flagAt + 1 - at
  }
  const end = flagAt + 1 + option.format.words
  if (end > words.length || (negated && option.shape === 'value')) return 0
  const value = option.format.read(words[flagAt + 1] ?? '', words[flagAt + 2] ?? '')
  if (value === undefined) return 0
  const negatable: Negatable<unknown> = negated ? { value, negated } : { value }
  fields[field] = option.shape === 'value' ? value : negatable
  return end - at
}

function assemble(header: Fields, parts: readonly Part[]): Rule {
  const matches: Match[] = []
  let target: Target | undefined
  for (const part of parts) {
    const own = target === undefined ? targetOf(part) : undefined
    if (own === undefined) matches.push(matchOf(part))
    else target = own
  }
  return { ...header, matches, ...(target === undefined ? {} : { target }) }
}

function matchOf(part: Part): Match {
  if (part.command === '-m' && isWhole(part)) return { kind: part.name, ...part.fields } as Match
  return { kind: 'unknown', text: [part.command, part.name, ...part.words].filter(Boolean).join(' ') }
}

/** Undefined for a match, and for `-g` with options. */
function targetOf(part: Part): Target | undefined {
  const { command, name, fields, words } = part
  if (command === '-g') return words.length === 0 ? { kind: 'goto', chain: name } : undefined
  if (command !== '-j') return undefined
  if (isWhole(part)) return { kind: name, ...fields } as Target
  if (words.length === 0 && !targetTables.has(name)) return { kind: 'jump', chain: name }
  return { kind: 'unknown', name, options: words.join(' ') }
}

/** Whether all its words have been read, and no option is missing. */
function isWhole({ table, fields }: Part): boolean {
  return (
    table?.entries.every(({ field, option }) => option.required !== true || fields[field] !== undefined) ===
    true
  )
}
