/** Ways to set text apart; each gives the text back unchanged when colour is off. */
export interface Colours {
  bold(text: string): string
  dim(text: string): string
  /** What passed. */
  good(text: string): string
  /** What failed. */
  bad(text: string): string
  /** A name: node, pod, client, Service. */
  name(text: string): string
  /** A rewritten destination. */
  dnat(text: string): string
  /** A rewritten source. */
  snat(text: string): string
}

/** The colours of the pretty reporter (SGR codes of ECMA-48, the 8 colours that every theme defines). */
export function createColours(enabled: boolean): Colours {
  const style = (on: number, off: number) => (text: string) =>
    enabled && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    good: style(32, 39),
    bad: style(31, 39),
    name: style(36, 39),
    dnat: style(33, 39),
    snat: style(35, 39),
  }
}
