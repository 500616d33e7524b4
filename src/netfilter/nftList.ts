/** A chain, set or map as `nft -s list table` shows it. */
export interface NftBlock {
  readonly kind: 'chain' | 'set' | 'map'
  readonly name: string
  /** What stands in its braces, but for elements: type and comment, or hook and rules. */
  readonly lines: readonly string[]
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

/** Reads what `nft -s list table` prints. Throws for a text that is none. */
export function parseNftList(text: string): NftListing {
  const [listing] = parseNftLists(text)
  if (listing === undefined) throw new Error(`not the listing of an nft table: ${text.split('\n', 1)[0]}`)
  return listing
}

/** Reads what several `nft list` commands print: a table each time, whole or in parts. */
export function parseNftLists(text: string): NftListing[] {
  const lines = text.split('\n')
  const listings: NftListing[] = []
  for (let at = 0; at < lines.length; at++) {
    const table = /^(table \S+ \S+) \{$/.exec(lines[at] ?? '')?.[1]
    if (table === undefined) continue
    const end = lines.indexOf('}', at)
    listings.push(listingOfLines(table, lines.slice(at + 1, end < 0 ? undefined : end)))
    if (end < 0) break
    at = end
  }
  return listings
}

function listingOfLines(table: string, lines: readonly string[]): NftListing {
  let comment: string | undefined
  const blocks: NftBlock[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const head = /^\t(chain|set|map) (\S+) \{$/.exec(line)
    if (head) {
      const end = lines.indexOf('\t}', at)
      if (end < 0) throw new Error(`${head[1]} ${head[2]} has no end`)
      blocks.push(blockOf(head[1] as NftBlock['kind'], head[2] ?? '', lines.slice(at + 1, end)))
      at = end
    } else if (line.startsWith('\tcomment ')) comment = line.trim()
  }
  return { table, comment, blocks }
}

/**
 * The form in which two listings are compared: elements sorted, and what belongs to service ports (names with a slash)
 * sorted by service port, in its order for each; kube-proxy walks them in random order.
 */
export function canonicalNftLines({ table, comment, blocks }: NftListing): string[] {
  const sorted = blocks
    .map((block, index) => ({ block, index, key: sortKey(block, index) }))
    .sort((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1))
  return [
    table,
    ...(comment === undefined ? [] : [comment]),
    ...sorted.flatMap(({ block: { kind, name, lines, elements } }) => [
      `${kind} ${name}`,
      ...lines.map((line) => `  ${line}`),
      ...elements.toSorted().map((element) => `  element ${element}`),
    ]),
  ]
}

/** Containers first, then chains; in each the fixed ones as they stand, then those of service ports by name. */
function sortKey({ kind, name }: NftBlock, index: number): string {
  const group = kind === 'chain' ? 'chain' : 'an element container'
  // service-3Z2W35HT-lab/web/tcp/http, endpoint-2VSDYSNP-lab/web/tcp/http__10.244.1.5/8080
  const port = /^[a-z]+-[A-Z2-7]{8}-([^/]+\/.*?)(?:__.*)?$/.exec(name)?.[1]
  return port === undefined ? `${group} 0 ${String(index).padStart(6, '0')}` : `${group} 1 ${port}`
}

function blockOf(kind: NftBlock['kind'], name: string, inner: readonly string[]): NftBlock {
  const lines: string[] = []
  let elements: string | undefined
  for (const line of inner.map((one) => one.trim())) {
    if (elements !== undefined) elements += ` ${line}`
    else if (line.startsWith('elements = {')) elements = line.slice('elements = {'.length)
    else lines.push(line)
  }
  return { kind, name, lines, elements: elements === undefined ? [] : elementsOf(elements) }
}

/** What stands between the braces of `elements`; a comma inside of quotes divides nothing. */
function elementsOf(text: string): string[] {
  const inner = text.replace(/\}\s*$/, '')
  return [...inner.matchAll(/(?:"[^"]*"|[^",])+/g)].map(([element]) => element.trim())
}
