import type { SavedRule, SavedTable } from '../save.js'
import type { Rule } from './model.js'
import { parseRule } from './parse.js'

/** A saved rule with the values that its text stands for. */
export interface TypedRule extends SavedRule {
  readonly rule: Rule
}

/** A saved table whose rules have been read. */
export interface TypedTable extends SavedTable {
  readonly rules: TypedRule[]
}

/** Reads the rules of a saved table. */
export function typedTable(saved: SavedTable): TypedTable {
  return { ...saved, rules: saved.rules.map(typedRule) }
}

/** Reads a saved rule. */
function typedRule(saved: SavedRule): TypedRule {
  return { ...saved, rule: parseRule(saved.spec) }
}
