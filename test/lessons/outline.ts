/** What a lesson and its translation have in common, whatever the language. */
export interface Outline {
  /** Fenced blocks, fences included, byte for byte except for comments and the output of verbs with `--lang`, which are translated. */
  readonly blocks: readonly string[]
  /** Indented command lines, without comments. */
  readonly indented: readonly string[]
  /** `#`, `##`, … in their order. */
  readonly headings: readonly string[]
  /** The marker of each list item in its order: `-` or a number. */
  readonly items: readonly string[]
  readonly rows: number
  /** Pieces of text between blank lines. */
  readonly paragraphs: number
  /** Questions of a lesson: list items that begin in italics. */
  readonly questions: number
  /** Targets of links, sorted. */
  readonly links: readonly string[]
  /** What stands as code in the text, each once, sorted. */
  readonly code: readonly string[]
}

const fenced = /^(`{3,})[^\n]*\n.*?^\1$/gms
/** A word, and no term such as NAT, IPv6 or NodePort. */
const englishWord = /\b[A-Z]?[a-z]{2,}\b/

const item = /^ {0,3}(-|\d+\.) /

/** The outline of a lesson's Markdown, in the forms that our lessons use. */
export function outlineOf(markdown: string): Outline {
  const prose = proseOf(markdown)
  const lines = prose.split('\n')
  return {
    blocks: [...markdown.matchAll(fenced)].map(([block]) => withoutTranslated(block)),
    indented: indentedOf(markdown).map(withoutComments),
    headings: lines.flatMap((line) => /^#+(?= )/.exec(line)?.[0] ?? []),
    items: lines.flatMap((line) => item.exec(line)?.[1] ?? []),
    rows: lines.filter((line) => line.startsWith('|')).length,
    paragraphs: prose.split(/\n\s*\n/).filter((piece) => piece.trim() !== '').length,
    questions: lines.filter((line) => /^- _/.test(line)).length,
    links: [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target).sort(),
    code: [...new Set([...prose.matchAll(/`[^`]+`/g)].map(([code]) => code.replace(/\s+/g, ' ')))].sort(),
  }
}

/** A block without what is in the language of its page: comments, and what verbs print with `--lang`. */
function withoutTranslated(block: string): string {
  return withoutComments(block).replace(
    /^(\$ vethlab (?:check|rules|trace|why) .*?)(?: --lang ko)?\n(?:(?!\$ |```).*\n)*/gm,
    '$1\n',
  )
}

/** Code without the text of its comments: `ls # the files` is `ls #`. */
function withoutComments(code: string): string {
  return code.replace(/(^|\s)# .*$/gm, '$1#')
}

/** Paragraphs, headings, list items and table rows that hold words, but none in Hangul. */
export function untranslated(markdown: string): string[] {
  return proseOf(markdown)
    .split(/\n\s*\n|\n(?= {0,3}(?:-|\d+\.) |\|)/)
    .filter((piece) => {
      const words = piece.replace(/<!--.*?-->|`[^`]+`|\[[^\]]*\]\([^)]*\)/gs, '')
      return englishWord.test(words) && !/\p{Script=Hangul}/u.test(words)
    })
}

/** The text without fenced blocks and indented lines. */
function proseOf(markdown: string): string {
  const indented = new Set(indentedOf(markdown))
  return markdown
    .replace(fenced, '')
    .split('\n')
    .filter((line) => !indented.has(line))
    .join('\n')
}

/** Indented lines that follow a blank one, or one of their own: others continue a list item. */
function indentedOf(markdown: string): string[] {
  const found: string[] = []
  let before = ''
  for (const line of markdown.replace(fenced, '').split('\n')) {
    const opens = before.trim() === '' || before === found.at(-1)
    if (opens && /^ {4}\S/.test(line)) found.push(line)
    before = line
  }
  return found
}

/** Names in another spelling than 쿠버네티스 and 엔드포인트슬라이스, outside code; one in parentheses explains the Korean word. */
export function otherSpellings(markdown: string): string[] {
  const prose = markdown.replace(/^```.*?^```|^ {4}.*?$|`[^`]*`|\]\([^)]*\)/gms, '')
  return [
    ...prose.matchAll(
      /(?<!\()\b(?:Kubernetes|EndpointSlices?)\b|쿠베르네티스|엔드포인트 ?슬라이스(?<!엔드포인트슬라이스)/g,
    ),
  ].map(([name]) => name)
}
