/** Adds a style to text, or returns it unchanged. */
export type Paint = (text: string) => string

/** Styles of text; each returns the text unchanged when colour is off. */
export interface Colours {
  readonly bold: Paint
  readonly dim: Paint
  /** What passed. */
  readonly good: Paint
  /** What failed. */
  readonly bad: Paint
  /** A name: node, pod, client, Service. */
  readonly name: Paint
  /** A rewritten destination. */
  readonly dnat: Paint
  /** A rewritten source. */
  readonly snat: Paint
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
