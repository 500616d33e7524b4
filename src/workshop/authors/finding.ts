/** One thing that was checked of an exercise. */
export interface Finding {
  /** What was checked, and what was found. */
  readonly what: string
  /** Why it fails; none if it passes. */
  readonly problems: readonly string[]
}

/** A finding that passes. */
export function passed(what: string): Finding {
  return { what, problems: [] }
}
