/** How one request, or the whole step, stood to the claim. */
export interface Verdict {
  readonly ok: boolean
  readonly observed: string
  /** Index into the step's flows. */
  readonly flow?: number | undefined
}
