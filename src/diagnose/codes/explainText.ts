import type { Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { wrap } from '../../text/textWidth.js'
import { codeGroups, type Code } from './codes.js'
import { explanationOf, subjectHeading } from './inLanguage.js'

/** How explanations are printed. */
export interface ExplainTextOptions {
  readonly colours: Colours
  readonly language: Language
  /** Columns. */
  readonly width: number
}

const labels: Readonly<Record<Language, { readonly look: string; readonly fix: string }>> = {
  en: { look: 'See it:', fix: 'Fix:' },
  ko: { look: '확인하는 명령:', fix: '해결:' },
}

/** What a code stands for: what happens, commands that show it, and what lets the request pass. */
export function explainText(code: Code, { colours, language, width }: ExplainTextOptions): string {
  const { title, text, look, fix } = explanationOf(code, language)
  const paragraph = (plain: string) => wrap(plain.replaceAll('`', '').split(' '), width)
  const lines = [
    `${colours.bold(code)}: ${title}`,
    '',
    ...paragraph(text),
    '',
    labels[language].look,
    // commands are copied: they are not wrapped
    ...look.map((command) => `  ${command}`),
    '',
    ...paragraph(`${labels[language].fix} ${fix}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Every code with its title, by subject. */
export function codeListText({ colours, language }: Omit<ExplainTextOptions, 'width'>): string {
  const width = Math.max(...codeGroups.flatMap((group) => group.codes.map((code) => code.length))) + 2
  const blocks = codeGroups.map(({ heading, codes: own }) =>
    [
      colours.bold(subjectHeading(heading, language)),
      ...own.map((code) => `  ${code.padEnd(width)}${explanationOf(code, language).title}`),
    ].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}
