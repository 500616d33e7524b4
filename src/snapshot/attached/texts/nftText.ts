import { listedIptables, listedNft } from '../../rules/listedNft.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { nftJsonAsText } from './nftJson.js'

/** Reads `nft list ruleset` and `nft list table`, also where the text is cut off or has lost its tabs. */
export function readNftText(text: CleanText): FormatPart {
  const { lines, isCut } = closed(text.lines)
  const problems: LineProblem[] = isCut
    ? [{ line: lineAt(text, text.lines.length - 1), message: 'the text ends inside a table of nftables' }]
    : []
  const listing = lines.join('\n')
  return partOf(listing, text, isCut, problems, (line) => ({ file: text.path, line: lineAt(text, line - 1) }))
}

/** Reads `nft -j list ruleset`. */
export function readNftJson(text: CleanText): FormatPart {
  const listing = nftJsonAsText(JSON.parse(text.lines.join('\n')))
  const at = { file: text.path, line: lineAt(text, 0) }
  return { ...partOf(listing, text, false, [], () => at), format: 'nft -j list ruleset' }
}

function partOf(
  listing: string,
  { hints }: CleanText,
  isCut: boolean,
  problems: readonly LineProblem[],
  where: (line: number) => { readonly file: string; readonly line: number },
): FormatPart {
  const nft = listedNft(listing, where)
  const iptablesInNft = listedIptables(listing, where)
  const isWhole = hints.program !== 'nft' || hints.args.includes('ruleset')
  const isPartial = isCut || !isWhole || hints.filter !== undefined
  return {
    ...{ format: 'nft list ruleset', nft, problems },
    ...(iptablesInNft.length > 0 && { iptablesInNft }),
    ...(isPartial && { partial: true as const }),
    lost: [
      ...(iptablesInNft.length > 0
        ? [
            'nft prints conditions of iptables that it does not know only by name: rules with those are not decided',
          ]
        : []),
      ...(isWhole ? [] : ['only some tables of nftables are shown']),
      ...(hints.filter === undefined ? [] : [`only the lines that "${hints.filter}" selects are shown`]),
    ],
  }
}

/** The lines with the braces that a text which is cut off does not have. */
function closed(lines: readonly string[]): { readonly lines: readonly string[]; readonly isCut: boolean } {
  let block = ''
  let isInTable = false
  for (const raw of lines) {
    const line = raw.trim()
    if (/^table \S+ \S+ \{/.test(line)) isInTable = true
    else if (isInTable && block === '' && line.endsWith('{')) block = line
    else if (line === '}') {
      if (block !== '') block = ''
      else isInTable = false
    }
  }
  if (!isInTable) return { lines, isCut: false }
  return { lines: [...lines, ...(block === '' ? [] : ['\t}']), '}'], isCut: true }
}
