import { scanConntrack } from '../../../netfilter/conntrack.js'
import { connectionsOf } from '../../readings/readPlace.js'
import { parseListeners } from '../../readings/sockets.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

/** Reads `conntrack -L` and /proc/net/nf_conntrack. */
export function readConntrackText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const entries = scanConntrack(text.lines, (line, message) => {
    // what the tool reports about itself
    if (!/^(?:cpu=\d|conntrack )/.test(text.lines[line - 1] ?? ''))
      problems.push({ line: lineAt(text, line - 1), message })
  })
  const { filter } = text.hints
  return {
    format: 'conntrack -L',
    connections: connectionsOf('', entries),
    lost: filter === undefined ? [] : [`only the lines that "${filter}" selects are shown`],
    problems: capped(problems),
    ...(filter !== undefined && { partial: true as const }),
  }
}

const states = new Set(['LISTEN', 'UNCONN'])

/** Reads the sockets that wait for packets from `ss`, with or without the column Netid. */
export function readSocketText(text: CleanText): FormatPart {
  const rows = text.lines.flatMap((line) => {
    const words = line.trim().split(/\s+/)
    const [first = '', second = ''] = words
    if ((first === 'tcp' || first === 'udp') && states.has(second)) return [words.slice(0, 6).join(' ')]
    if (!states.has(first)) return []
    return [`${first === 'LISTEN' ? 'tcp' : 'udp'} ${words.slice(0, 5).join(' ')}`]
  })
  return listeners(rows, text, 'ss')
}

/** Reads the same from `netstat -lntup`. */
export function readNetstat(text: CleanText): FormatPart {
  const rows = text.lines.flatMap((line) => {
    const [protocol = '', , , local = '', remote = '', state = ''] = line.trim().split(/\s+/)
    const isTcp = protocol.startsWith('tcp') && state === 'LISTEN'
    const isUdp = protocol.startsWith('udp') && /:\*$/.test(remote)
    if (!/^(?:tcp|udp)6?$/.test(protocol) || (!isTcp && !isUdp)) return []
    const at = local.lastIndexOf(':')
    const [host, port] = [local.slice(0, at), local.slice(at + 1)]
    const shown = host === '::' ? '*' : host.includes(':') ? `[${host}]` : host
    return [`${protocol.slice(0, 3)} LISTEN 0 0 ${shown}:${port}`]
  })
  const part = listeners(rows, text, 'netstat')
  const hasSix = rows.some((row) => row.includes(' *:'))
  const lost = 'netstat shows sockets of both families like those of IPv6 only: they are taken for both'
  return hasSix ? { ...part, lost: [...part.lost, lost] } : part
}

function listeners(rows: readonly string[], { hints }: CleanText, format: string): FormatPart {
  const { args, filter } = hints
  const short = args.filter((arg) => /^-[a-zA-Z]/.test(arg)).join('')
  const isOnly = (letter: string, other: string) => short.includes(letter) && !short.includes(other)
  const missing = isOnly('t', 'u') ? 'UDP' : isOnly('u', 't') ? 'TCP' : undefined
  return {
    format,
    ...(rows.length > 0 && { sockets: parseListeners(rows.join('\n')) }),
    lost: [
      ...(rows.length === 0 ? [`${format} shows no socket that waits for packets`] : []),
      ...(missing === undefined ? [] : [`${format} ${args.join(' ')} shows no sockets of ${missing}`]),
      ...(filter === undefined ? [] : [`only the lines that "${filter}" selects are shown`]),
    ],
    problems: [],
    ...((missing !== undefined || filter !== undefined) && { partial: true as const }),
  }
}
