import { readFileSync } from 'node:fs'
import type { AttachedText, NodePart } from '../../../src/snapshot/attached/texts/model.js'
import { readNodeText } from '../../../src/snapshot/attached/texts/nodeText.js'
import { canonicalRule } from '../../../src/netfilter/rules/render.js'

/** The output of a tool, as it printed it in namespaces that were made for these tests. */
export function fixture(name: string): string {
  return readFileSync(`test/fixtures/nodeTexts/${name}`, 'utf8')
}

/** What such an output says. Throws Error if it is of no format. */
export function readFixture(name: string, more: Partial<AttachedText> = {}): NodePart {
  return readText(fixture(name), { path: name, ...more })
}

/** What a text says. Throws Error if it is of no format. */
export function readText(text: string, more: Partial<AttachedText> = {}): NodePart {
  const part = readNodeText({ path: 'paste.txt', line: 1, text, ...more })
  if (part === undefined) throw new Error(`no format: ${text.slice(0, 80)}`)
  return part
}

/** Rules as text, each with its family, table and chain: `IPv4 filter INPUT -j DROP`. */
export function ruleTexts({ rules = {} }: NodePart): string[] {
  return Object.entries(rules).flatMap(([family, tables]) =>
    [...tables].flatMap(([table, chains]) =>
      [...chains].flatMap(([chain, { rules: own }]) =>
        own.map(({ rule }) => `${family} ${table} ${chain} ${canonicalRule(rule)}`),
      ),
    ),
  )
}
