/** Whether one request, or the whole step, met an expectation. */
export interface Verdict {
  readonly ok: boolean
  readonly observed: string
  /** Index into the step's flows. */
  readonly flow?: number | undefined
}
