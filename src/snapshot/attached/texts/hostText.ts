import { forwardingOf, type BridgeFdb } from '../../readings/interfaces.js'
import { readRecent } from '../../readings/readPlace.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'

const hostname = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,62})(?:\.[a-zA-Z0-9-]{1,63}){0,10}$/

/** Reads `hostname`; undefined for other text. */
export function readHostname(text: CleanText): FormatPart | undefined {
  const lines = text.lines.map((line) => line.trim()).filter((line) => line !== '')
  const [name = ''] = lines
  return lines.length === 1 && hostname.test(name)
    ? { format: 'hostname', hostname: name, lost: [], problems: [] }
    : undefined
}

/** Whether a line is of `uname -a`. */
export function isUname(line: string): boolean {
  return /^Linux \S{1,253} \d+\.\d+\S{0,100} #/.test(line)
}

/** Reads `uname -a`: its second word is the host name. */
export function readUname({ lines }: CleanText): FormatPart {
  const name = lines.find(isUname)?.split(' ', 2)[1]
  return { ...(name !== undefined && { hostname: name }), lost: [], problems: [] }
}

/** Whether a line is of a list of the match recent, in /proc/net/xt_recent. */
export function isRecent(line: string): boolean {
  return /^(?:\/proc\/net\/xt_recent\/[^:\s]{1,200}:)?src=[0-9a-f.:]{2,45} ttl: \d+ last_seen: /.test(line)
}

/** Reads lists of the match recent; without the names of files, the one that the command or the file names. */
export function readRecentText(text: CleanText): FormatPart {
  const path = text.hints.args.find((arg) => arg.includes('xt_recent/')) ?? text.path
  const name = path.slice(path.lastIndexOf('/') + 1)
  const lines = text.lines.map((line) =>
    line.startsWith('src=') ? `/proc/net/xt_recent/${name}:${line}` : line,
  )
  return { format: 'xt_recent', recent: readRecent(lines.join('\n')), lost: [], problems: [] }
}

/** Whether a line is of `bridge fdb`. */
export function isForwarding(line: string): boolean {
  return /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2} dev \S{1,64} /.test(line)
}

/** Reads `bridge fdb`. */
export function readForwardingText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const forwarding = text.lines.flatMap((line, index) => {
    if (!isForwarding(line)) return []
    const words = line.trim().split(/\s+/)
    const after = (word: string) => {
      const at = words.indexOf(word)
      return at < 0 ? undefined : words[at + 1]
    }
    const [dst, port, vni] = ['dst', 'port', 'vni'].map(after)
    const entry: BridgeFdb = {
      ...{ mac: words[0] ?? '', ifname: after('dev') ?? '' },
      ...(dst !== undefined && { dst }),
      ...(port !== undefined && { port }),
      ...(vni !== undefined && { vni }),
    }
    try {
      return forwardingOf('', [entry])
    } catch (error) {
      problems.push({
        line: lineAt(text, index),
        message: error instanceof Error ? error.message : String(error),
      })
      return []
    }
  })
  return { format: 'bridge fdb', forwarding, lost: [], problems }
}
