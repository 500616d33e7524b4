/** What a code of a finding stands for: in Markdown, for docs/causes.md and `vethlab explain`. */
export interface Explanation extends ExplanationText {
  /** Commands that show it on any cluster, one a line. */
  readonly look: readonly string[]
}

/** The part of an explanation that is in a language. */
export interface ExplanationText {
  /** A heading, without a full stop. */
  readonly title: string
  /** What happens to packets, and why. */
  readonly text: string
  /** What lets the request pass. */
  readonly fix: string
}
