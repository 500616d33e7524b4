import { parseNftLists, type NftBlock, type NftListing } from '../../src/netfilter/nftList.js'

/** Parses the output of `nft -s list table`. Throws if the text is invalid. */
export function parseNftList(text: string): NftListing {
  const [listing] = parseNftLists(text)
  if (listing === undefined) throw new Error(`not the listing of an nft table: ${text.split('\n', 1)[0]}`)
  return listing
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

/** Containers first, then chains; in each the fixed ones in order, then those of service ports by name. */
function sortKey({ kind, name }: NftBlock, index: number): string {
  const group = kind === 'chain' ? 'chain' : 'an element container'
  // service-3Z2W35HT-lab/web/tcp/http, endpoint-2VSDYSNP-lab/web/tcp/http__10.244.1.5/8080
  const port = /^[a-z]+-[A-Z2-7]{8}-([^/]+\/.*?)(?:__.*)?$/.exec(name)?.[1]
  return port === undefined ? `${group} 0 ${String(index).padStart(6, '0')}` : `${group} 1 ${port}`
}
