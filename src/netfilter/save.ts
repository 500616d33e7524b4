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
  /** The file of that line, if there can be several. */
  readonly file?: string
}

/** One table of a saved ruleset, chains and rules in the order of the text. */
export interface SavedTable {
  readonly table: string
  readonly chains: SavedChain[]
  readonly rules: SavedRule[]
}

const chainLine = /^:(\S+) (\S+)(?: \[(\d+):(\d+)\])?$/
const ruleLine = /^(?:\[(\d+):(\d+)\] ?)?-A (\S+)(?: (.*))?$/
const tableNames = new Set(['raw', 'mangle', 'nat', 'filter', 'security'])

/** What is wrong with a line of a saved ruleset. */
export interface SaveFault {
  readonly line: number
  readonly message: string
  /**
   * `unread`: the line is not read; `outside`: and it is in no table. `undeclared`: the chain of a rule has no line. `cut`: the
   * text ends inside a table.
   */
  readonly kind: 'unread' | 'outside' | 'undeclared' | 'cut' | 'none'
}

/**
 * Parses the output of iptables-save or ip6tables-save, of either backend, with or without counters.
 *
 * @throws InputError with the line number if the text is truncated, or not iptables-save output.
 */
export function parseSave(text: string, file = 'iptables-save'): SavedTable[] {
  const { tables, faults } = scanSave(text.split('\n'))
  const [first] = faults
  if (first) throw new InputError([{ message: first.message, at: { file, line: first.line, column: 1 } }])
  return tables
}

/**
 * Reads what there is of the output of iptables-save, and what is wrong with it, in the order of the lines: a table whose COMMIT is
 * missing and rules of chains that have no line are read too. Rules before the first table are of `table`, if it is given.
 */
export function scanSave(
  lines: readonly string[],
  table?: string,
): { readonly tables: SavedTable[]; readonly faults: readonly SaveFault[] } {
  const faults: SaveFault[] = []
  const tables: SavedTable[] = []
  let open: OpenTable | undefined
  let implied: OpenTable | undefined
  const begin = (name: string, line: number): OpenTable => {
    const own: SavedTable = { table: name, chains: [], rules: [] }
    tables.push(own)
    return { table: own, chains: new Set(), line }
  }
  lines.forEach((raw, index) => {
    const line = raw.trimEnd()
    const fail = (message: string, kind: SaveFault['kind'] = 'unread') =>
      void faults.push({ line: index + 1, message, kind })
    if (line === '' || line.startsWith('#')) return
    if (line.startsWith('*')) {
      const name = line.slice(1)
      if (open) fail(`table ${name} begins before table ${open.table.table} ends with COMMIT`, 'cut')
      open = tableNames.has(name) ? begin(name, index + 1) : undefined
      if (!open) fail(`unknown table "${excerpt(name)}"`)
      return
    }
    if (!open && table !== undefined && line !== 'COMMIT') open = implied = begin(table, index + 1)
    if (!open) return fail(`expected a table such as "*nat", found "${excerpt(line)}"`, 'outside')
    if (line === 'COMMIT') {
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
    if (!open.chains.has(name)) {
      fail(`rule in chain ${name}, which table ${open.table.table} does not have`, 'undeclared')
      open.chains.add(name)
    }
    if (!quotesClosed(spec)) return fail('a quoted text does not end: the rule is cut off')
    const counters = packets === undefined ? {} : { packets: Number(packets), bytes: Number(bytes) }
    open.table.rules.push({ chain: name, spec, ...counters, line: index + 1 })
  })
  if (open && open !== implied) {
    const { table: last, line } = open
    const message = `the text ends inside table ${last.table} (line ${line}): COMMIT is missing`
    faults.push({ line: lastLine(lines), message, kind: 'cut' })
  }
  if (tables.length === 0)
    faults.push({ line: 1, message: 'no table: this is not the output of iptables-save', kind: 'none' })
  return { tables, faults }
}

interface OpenTable {
  readonly table: SavedTable
  readonly chains: Set<string>
  readonly line: number
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
