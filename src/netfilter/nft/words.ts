/** The words of a rule: texts in quotes are one word, with their quotes; braces, commas and parentheses are words. */
export function nftWords(text: string): string[] {
  return text.match(/"[^"]*"|[{}(),;]|[^\s{}(),;"]+/g) ?? []
}

/** Reads the words of a rule from the left. */
export class NftReader {
  readonly words: readonly string[]
  at = 0

  constructor(words: readonly string[]) {
    this.words = words
  }

  /** The next word, or the one after it; empty at the end. */
  peek(ahead = 0): string {
    return this.words[this.at + ahead] ?? ''
  }

  /** Takes the next word. */
  next(): string {
    const word = this.peek()
    if (word === '') throw new NotNft('the rule ends')
    this.at++
    return word
  }

  /** Takes the next word if it is this one. */
  take(word: string): boolean {
    if (this.peek() !== word) return false
    this.at++
    return true
  }

  /** Takes the next word, which must be this one. */
  expect(word: string): void {
    if (!this.take(word)) throw new NotNft(`expected ${word}, found ${this.peek()}`)
  }

  get ended(): boolean {
    return this.at >= this.words.length
  }

  /** The words since a position, as text. */
  since(start: number): string {
    return this.words.slice(start, this.at).join(' ').replaceAll(' ,', ',')
  }
}

/** Words that are no statement of nft that this version knows. Readers of rules catch it; no caller sees it. */
export class NotNft extends Error {}
