import { InputError } from '../errors.js'

/** A chain as iptables-save prints it; `policy` is `-` for a chain that is not built in. */
export interface SavedChain {
  readonly name: string
  readonly policy: string
  readonly packets: number
  readonly bytes: number
}

/** A rule as iptables-save prints it. */
export interface SavedRule {
  readonly chain: string
  /** The text after `-A CHAIN `; without counters. */
  readonly spec: string
  /** Counters, when the text has them (`iptables-save -c`). */
  readonly packets?: number
  readonly bytes?: number
  /** Line of the text, from 1; absent for rules that were not read from one. */
  readonly line?: number
}

/** One table of a saved ruleset, chains and rules in the order of the text. */
export interface SavedTable {
  readonly table: string
  readonly chains: SavedChain[]
  readonly rules: SavedRule[]
}

const chainLine = /^:(\S+) (\S+)(?: \[(\d+):(\d+)\])?$/
const ruleLine = /^(?:\[(\d+):(\d+)\] )?-A (\S+)(?: (.*))?$/
const tableNames = new Set(['raw', 'mangle', 'nat', 'filter', 'security'])

/**
 * Parses the output of iptables-save or ip6tables-save, of either backend, with or without counters.
 *
 * @throws InputError with the line number if the text is truncated, or not iptables-save output.
 */
export function parseSave(text: string, file = 'iptables-save'): SavedTable[] {
  const tables: SavedTable[] = []
  let open: { readonly table: SavedTable; readonly chains: Set<string>; readonly line: number } | undefined
  const lines = text.split('\n')
  lines.forEach((raw, index) => {
    const line = raw.trimEnd()
    const fail = (message: string): never => {
      throw problem(message, file, index + 1)
    }
    if (line === '' || line.startsWith('#')) return
    if (line.startsWith('*')) {
      if (open) fail(`table ${line.slice(1)} begins before table ${open.table.table} ends with COMMIT`)
      if (!tableNames.has(line.slice(1))) fail(`unknown table "${line.slice(1)}"`)
      open = { table: { table: line.slice(1), chains: [], rules: [] }, chains: new Set(), line: index + 1 }
      return
    }
    if (!open) return fail(`expected a table such as "*nat", found "${excerpt(line)}"`)
    if (line === 'COMMIT') {
      tables.push(open.table)
      open = undefined
      return
    }
    const chain = chainLine.exec(line)
    if (chain) {
      const [, name = '', policy = '', packets = '0', bytes = '0'] = chain
      open.chains.add(name)
      open.table.chains.push({ name, policy, packets: Number(packets), bytes: Number(bytes) })
      return
    }
    const rule = ruleLine.exec(line)
    if (!rule) return fail(`expected a chain, a rule or COMMIT, found "${excerpt(line)}"`)
    const [, packets, bytes, name = '', spec = ''] = rule
    if (!open.chains.has(name)) fail(`rule in chain ${name}, which table ${open.table.table} does not have`)
    if (!quotesClosed(spec)) fail('a quoted text does not end: the rule is cut off')
    const counters = packets === undefined ? {} : { packets: Number(packets), bytes: Number(bytes) }
    open.table.rules.push({ chain: name, spec, ...counters, line: index + 1 })
  })
  if (open) {
    const { table, line } = open as { table: SavedTable; line: number }
    throw problem(
      `the text ends inside table ${table.table} (line ${line}): COMMIT is missing`,
      file,
      lastLine(lines),
    )
  }
  if (tables.length === 0) throw problem('no table: this is not the output of iptables-save', file, 1)
  return tables
}

/** A rule with its chain, as iptables-save prints it without counters: `-A CHAIN …`. */
export function ruleText(rule: Pick<SavedRule, 'chain' | 'spec'>): string {
  return rule.spec === '' ? `-A ${rule.chain}` : `-A ${rule.chain} ${rule.spec}`
}

/** What follows `-A CHAIN` in the text of a rule; empty for one of nft, or without options. */
export function specOf({ chain, rule }: { readonly chain: string; readonly rule: string }): string {
  const start = `-A ${chain} `
  return rule.startsWith(start) ? rule.slice(start.length) : ''
}

function quotesClosed(spec: string): boolean {
  let inside = false
  for (let at = 0; at < spec.length; at++) {
    if (inside && spec[at] === '\\') at++
    else if (spec[at] === '"') inside = !inside
  }
  return !inside
}

function lastLine(lines: readonly string[]): number {
  return lines.at(-1) === '' ? Math.max(1, lines.length - 1) : lines.length
}

function excerpt(line: string): string {
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

function problem(message: string, file: string, line: number): InputError {
  return new InputError([{ message, at: { file, line, column: 1 } }])
}
