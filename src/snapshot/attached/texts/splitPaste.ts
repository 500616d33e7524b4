import { plainLine } from './cleanText.js'
import { formatOfLine } from './formats.js'
import { hintsOfCommand } from './hints.js'
import type { AttachedText } from './model.js'
import { readHeading, readPrompt, type Prompt } from './prompts.js'

/** A part of a paste, and the node that its prompt or heading names. */
export type PastePart = AttachedText & { readonly node?: string | undefined }

interface Open {
  readonly line: number
  readonly lines: string[]
  readonly command?: string | undefined
  readonly node?: string | undefined
  format?: string | undefined
  /** Of nft and JSON: how many braces are open. */
  depth: number
}

/**
 * Splits a paste where a prompt or a heading shows a command, at fences of markdown, and where the format changes. Colour codes,
 * line ends of other systems and fences are removed; each part knows the line at which it begins.
 */
export function splitPaste(path: string, text: string): readonly PastePart[] {
  const parts: PastePart[] = []
  const shells = new Shells()
  let heading: string | undefined
  let open: Open = { line: 1, lines: [], depth: 0 }
  const begin = (line: number, more: Pick<Open, 'command' | 'node'> = {}) => {
    close(path, open, parts)
    open = { line, lines: [], depth: 0, ...more }
  }
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n')
  lines.forEach((raw, index) => {
    const line = plainLine(raw)
    if (/^\s{0,8}(?:```|~~~)/.test(line)) {
      const isBlank = open.lines.every((one) => one.trim() === '')
      if (isBlank && open.command !== undefined) open.lines.push('')
      else begin(index + 2, { node: heading })
      return
    }
    const prompt = open.depth > 0 ? undefined : readPrompt(line)
    if (prompt) {
      const command = shells.commandOf(prompt)
      const node = hintsOfCommand(command).node ?? prompt.host ?? heading
      begin(index + 2, { ...(command !== '' && { command }), node })
      return
    }
    const titled = readHeading(line)
    if (titled && open.depth === 0) {
      const command = titled.command ?? `cat ${titled.file}`
      begin(index + 2, { command, node: hintsOfCommand(command).node ?? heading })
      return
    }
    const named = open.depth === 0 ? nodeHeading(line) : undefined
    if (named !== undefined) {
      heading = named
      begin(index + 2, { node: heading })
      return
    }
    const format = open.depth > 0 ? undefined : beginningOf(line)
    if (format !== undefined && format !== open.format && open.format !== undefined)
      begin(index + 1, { command: open.command, node: open.node })
    if (format !== undefined) open.format = format
    if (open.format === 'nft') open.depth = Math.max(0, open.depth + braces(line))
    open.lines.push(line)
  })
  close(path, open, parts)
  return parts
}

function close(path: string, { line, lines, command, node }: Open, parts: PastePart[]): void {
  if (command === undefined && lines.every((one) => one.trim() === '')) return
  parts.push({
    ...{ path, line, text: lines.join('\n') },
    ...(command !== undefined && { command }),
    ...(node !== undefined && { node }),
  })
}

/** The format that begins with a line: of a node, or of Kubernetes objects. */
function beginningOf(line: string): string | undefined {
  if (line === '') return undefined
  if (/^apiVersion: /.test(line)) return 'objects'
  if (/^(?:NAMESPACE|NAME) {2,}[A-Z]/.test(line)) return 'table of kubectl'
  if (/^Name: {2,}\S/.test(line)) return 'kubectl describe'
  return formatOfLine(line)?.name
}

function braces(line: string): number {
  let depth = 0
  let isQuoted = false
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && sign === '{') depth++
    else if (!isQuoted && sign === '}') depth--
  }
  return depth
}

/** `=== worker-1 ===`, `## node/worker-1`: a heading with the name of a node, by its digits or what nodes are called. */
function nodeHeading(line: string): string | undefined {
  if (line.length > 200) return undefined
  const name =
    /^(?:#{1,6} |[=*-]{2,40} ?)(?:[Nn]ode[:/ ]\s?)?([a-z0-9][a-z0-9.-]{0,120}[a-z0-9])(?: ?[=*-]{2,40}|:)?$/.exec(
      line.trim(),
    )?.[1]
  if (name === undefined) return undefined
  return /\d|node|worker|control|master|server|agent/.test(name) && !/^\d+$/.test(name) ? name : undefined
}

/** Shells that were entered in pods and on nodes: what is typed in one ran there. */
class Shells {
  #inner: { readonly command: string; readonly outside: string } | undefined

  commandOf({ command, before }: Prompt): string {
    if (this.#inner !== undefined && (before === this.#inner.outside || command === 'exit')) {
      const isExit = command === 'exit'
      this.#inner = undefined
      if (isExit) return ''
    }
    if (this.#inner !== undefined && command !== '') return `${this.#inner.command} ${command}`
    const entered = /^(.{0,400}?\b(?:exec|debug)\b.{0,400}? --) (?:\/bin\/)?(?:ba|z|a)?sh$/.exec(command)
    if (entered) this.#inner = { command: entered[1] ?? '', outside: before }
    const docker = /^((?:sudo )?(?:docker|podman) exec .{1,200}) (?:\/bin\/)?(?:ba|a)?sh$/.exec(command)
    if (docker) this.#inner = { command: docker[1] ?? '', outside: before }
    return command
  }
}
