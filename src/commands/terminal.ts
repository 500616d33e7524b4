/** How text for people is to be set: in colour or not, and how wide. */
export interface Terminal {
  readonly colour: boolean
  readonly width: number
}

/** What standard output is; where it is no terminal, plain text of 100 columns. */
export function terminal(): Terminal {
  return { colour: useColour(), width: process.stdout.columns ?? 100 }
}

/** https://no-color.org, and FORCE_COLOR for what is not a terminal. */
function useColour(): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '' } = process.env
  if (NO_COLOR !== '') return false
  return FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : process.stdout.isTTY === true
}
