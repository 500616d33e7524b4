/** The answer of `vethlab why` about the request of a failed step, for reports. */
export interface StepWhy {
  /** Who called what, how it ended, what decided, and where the cause is. */
  readonly sentence: string
  /** Of the cause; absent if the request is predicted to pass: the step expects something else. */
  readonly code?: string | undefined
  readonly cause?: string | undefined
  /** A change after which the request is predicted to pass. */
  readonly fix?: string | undefined
  /** What makes the change in the running lab. */
  readonly command?: string | undefined
}

/** The lines of an answer that are still true when the lab is removed, each with its label. */
export function whyLines({ sentence, code, cause, fix }: StepWhy): (readonly [string, string])[] {
  return [
    ['why', sentence],
    ...(cause === undefined ? [] : [['cause', cause] as const]),
    ...(fix === undefined ? [] : [['fix', fix] as const]),
    ...(code === undefined ? [] : [['explain', `vethlab explain ${code}`] as const]),
  ]
}
