/** A chain, set or map as `nft -s list table` shows it. */
export interface NftBlock {
  readonly kind: 'chain' | 'set' | 'map'
  readonly name: string
  /** Lines between its braces except elements: type and comment, or hook and rules. */
  readonly lines: readonly string[]
  /** The line of the text of each of them, from 1. */
  readonly lineNumbers?: readonly number[]
  /** Elements of a set or map, in the kernel's order; empty for a chain. */
  readonly elements: readonly string[]
}

/** A table as `nft -s list table` shows it. */
export interface NftListing {
  /** `table ip kube-proxy` */
  readonly table: string
  readonly comment?: string | undefined
  readonly blocks: readonly NftBlock[]
}

/** The rules of a chain, as nft lists them. */
export function rulesOf(block: NftBlock): string[] {
  return numberedRules(block).map(({ spec }) => spec)
}

/** The rules of a chain with their lines in the text. */
export function numberedRules({
  lines,
  lineNumbers,
}: NftBlock): { readonly spec: string; readonly line: number | undefined }[] {
  return lines.flatMap((spec, index) =>
    spec === '' || /^(?:type \S+ hook |comment ")/.test(spec) ? [] : [{ spec, line: lineNumbers?.[index] }],
  )
}

/** The rules in the output of `nft -a list` by handle, in their order. */
export function rulesByHandle(text: string): ReadonlyMap<number, string> {
  return new Map(
    [...text.matchAll(/^\t\t(.*) # handle (\d+)$/gm)].map(([, rule = '', handle]) => [Number(handle), rule]),
  )
}

/** Parses the output of several `nft list` commands, also with handles: a table each time, whole or in parts. */
export function parseNftLists(text: string): NftListing[] {
  const lines = withTabs(text.replaceAll(/ # handle \d+$/gm, '').split('\n'))
  const listings: NftListing[] = []
  for (let at = 0; at < lines.length; at++) {
    const table = /^(table \S+ \S+) \{$/.exec(lines[at] ?? '')?.[1]
    if (table === undefined) continue
    const end = lines.indexOf('}', at)
    listings.push(listingOfLines(table, lines.slice(at + 1, end < 0 ? undefined : end), at + 2))
    if (end < 0) break
    at = end
  }
  return listings
}

/** Lines that have lost their tabs get them again, by the braces that are open. */
function withTabs(lines: readonly string[]): readonly string[] {
  if (lines.some((line) => line.startsWith('\t'))) return lines
  let depth = 0
  return lines.map((raw) => {
    const line = raw.trim()
    if (line.startsWith('}')) depth = Math.max(0, depth - 1)
    const tabbed = line === '' ? '' : '\t'.repeat(depth) + line
    if (/^(?:table|chain|set|map|flowtable|counter|quota|limit|ct|secmark|synproxy) .*\{$/.test(line)) depth++
    return tabbed
  })
}

function listingOfLines(table: string, lines: readonly string[], first: number): NftListing {
  let comment: string | undefined
  const blocks: NftBlock[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const head = /^\t(chain|set|map) (\S+) \{$/.exec(line)
    if (head) {
      const end = lines.indexOf('\t}', at)
      if (end < 0) throw new Error(`${head[1]} ${head[2]} has no end`)
      blocks.push(
        blockOf(head[1] as NftBlock['kind'], head[2] ?? '', lines.slice(at + 1, end), first + at + 1),
      )
      at = end
    } else if (line.startsWith('\tcomment ')) comment = line.trim()
  }
  return { table, comment, blocks }
}

function blockOf(kind: NftBlock['kind'], name: string, inner: readonly string[], first: number): NftBlock {
  const lines: string[] = []
  const lineNumbers: number[] = []
  let elements: string[] | undefined
  for (const [index, line] of inner.map((one) => one.trim()).entries()) {
    if (elements !== undefined) elements.push(line)
    else if (line.startsWith('elements = {')) elements = [line.slice('elements = {'.length)]
    else {
      lines.push(line)
      lineNumbers.push(first + index)
    }
  }
  return {
    kind,
    name,
    lines,
    lineNumbers,
    elements: elements === undefined ? [] : splitElements(elements.join(' ').replace(/\}\s*$/, '')),
  }
}

/** The elements of a set or map from the text between its braces; commas inside quotes do not separate. */
export function splitElements(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|[^",])+/g)].map(([element]) => element.trim())
}
