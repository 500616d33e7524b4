import type { Colours } from '../../text/colour.js'
import { wrap } from '../../text/textWidth.js'
import { codeGroups, codes, type Code } from './codes.js'

/** How explanations are printed. */
export interface ExplainTextOptions {
  readonly colours: Colours
  /** Columns. */
  readonly width: number
}

/** What a code stands for: what happens, commands that show it, and what lets the request pass. */
export function explainText(code: Code, { colours, width }: ExplainTextOptions): string {
  const { title, text, look, fix } = codes[code]
  const paragraph = (plain: string) => wrap(plain.replaceAll('`', '').split(' '), width)
  const lines = [
    `${colours.bold(code)}: ${title}`,
    '',
    ...paragraph(text),
    '',
    'See it:',
    // commands are copied: they are not wrapped
    ...look.map((command) => `  ${command}`),
    '',
    ...paragraph(`Fix: ${fix}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Every code with its title, by subject. */
export function codeListText({ colours }: Pick<ExplainTextOptions, 'colours'>): string {
  const width = Math.max(...codeGroups.flatMap((group) => group.codes.map((code) => code.length))) + 2
  const blocks = codeGroups.map(({ heading, codes: own }) =>
    [colours.bold(heading), ...own.map((code) => `  ${code.padEnd(width)}${codes[code].title}`)].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}
