import { loadIpsets } from '../../rules/ipsets.js'
import { serversIn } from '../../readings/readPlace.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

/** Reads `ipset save`. */
export function readIpsetSave(text: CleanText): FormatPart {
  return { format: 'ipset save', sets: loadIpsets(text.lines), ...selected(text), problems: [] }
}

/** Reads `ipset list`: each set is turned into the lines that `ipset save` prints for it. */
export function readIpsetList(text: CleanText): FormatPart {
  const lines: string[] = []
  const problems: LineProblem[] = []
  const open = new Map<string, string>()
  let isMember = false
  text.lines.forEach((line, index) => {
    const [, key = '', value = ''] =
      /^(Name|Type|Revision|Header|Size in memory|References|Number of entries|Default): ?(.*)$/.exec(line) ??
      []
    if (key === 'Name') {
      open.clear()
      isMember = false
    }
    if (key !== '') open.set(key, value.trim())
    else if (line.trim() === 'Members:') {
      isMember = true
      lines.push(`create ${open.get('Name')} ${open.get('Type')} ${open.get('Header') ?? ''}`)
    } else if (isMember && line.trim() !== '') lines.push(`add ${open.get('Name')} ${line.trim()}`)
    else if (line.trim() !== '')
      problems.push({
        line: lineAt(text, index),
        message: `expected a set of ipset, found "${line.slice(0, 60)}"`,
      })
  })
  const { lost, ...more } = selected(text)
  const isTerse = lines.length === 0 && open.has('Name')
  const all = [...lost, ...(isTerse ? ['ipset list -t shows no members: the sets are not read'] : [])]
  return { format: 'ipset list', sets: loadIpsets(lines), ...more, lost: all, problems: capped(problems) }
}

/** Reads `ipvsadm -L -n`, and `ipvsadm -S -n`, whose lines are turned into those of the other. */
export function readServerText(text: CleanText): FormatPart {
  const isSaved = text.lines.some((line) => /^-A /.test(line))
  const listed = isSaved ? text.lines.map(asListed) : text.lines
  const { lost, ...more } = selected(text)
  const isNamed = text.lines.some((line) => /^(?:TCP|UDP) +\S*[a-z]{3,}\S*:/.test(line))
  return {
    format: isSaved ? 'ipvsadm -S' : 'ipvsadm -L',
    servers: serversIn(listed.join('\n')),
    ...more,
    lost: [
      ...lost,
      'ipvsadm sorts real servers by default: which of them a hash selects is not known',
      ...(isNamed
        ? ['ipvsadm without -n shows names in place of addresses: those servers are not read']
        : []),
    ],
    problems: [],
  }
}

function asListed(line: string): string {
  const words = line.split(/\s+/)
  const after = (...options: readonly string[]) =>
    words[words.findIndex((word) => options.includes(word)) + 1] ?? ''
  const has = (option: string) => words.includes(option)
  if (words[0] === '-A') {
    const protocol = has('-u') ? 'UDP' : has('--sctp-service') ? 'SCTP' : has('-t') ? 'TCP' : 'FWM'
    const persistent = has('-p') ? ` persistent ${after('-p')}` : ''
    const flags = has('-b') ? ` (${after('-b')})` : ''
    return `${protocol}  ${after('-t', '-u', '--sctp-service', '-f')} ${after('-s')}${persistent}${flags}`
  }
  if (words[0] === '-a') return `  -> ${after('-r')} Masq ${after('-w')} 0 0`
  return ''
}

function selected({ hints: { filter } }: CleanText): {
  readonly lost: readonly string[]
  readonly partial?: true
} {
  return filter === undefined
    ? { lost: [] }
    : { lost: [`only the lines that "${filter}" selects are shown`], partial: true }
}
