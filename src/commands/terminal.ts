/** Whether text is printed in colour, and its width in columns. */
export interface Terminal {
  readonly colour: boolean
  readonly width: number
}

/** The terminal of standard output; if that is not a terminal, plain text with 100 columns. */
export function terminal(): Terminal {
  return { colour: useColour(), width: process.stdout.columns ?? 100 }
}

/** NO_COLOR (https://no-color.org) disables colours, FORCE_COLOR enables them without a terminal. */
function useColour(): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '' } = process.env
  if (NO_COLOR !== '') return false
  return FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : process.stdout.isTTY === true
}
