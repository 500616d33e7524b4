/** Whether text is printed in colour, and its width in columns. */
export interface Terminal {
  readonly colour: boolean
  readonly width: number
}

/** The terminal of standard output; if that is not a terminal, plain text with COLUMNS or 100 columns. */
export function terminal(): Terminal {
  return { colour: useColour(), width: process.stdout.columns ?? (Number(process.env['COLUMNS']) || 100) }
}

/** The columns of a terminal; undefined if standard output is none: tables in files and pipes are not folded. */
export function foldedWidth(): number | undefined {
  return process.stdout.columns
}

/** Whether the terminal cannot move its cursor or change colours (TERM=dumb). */
export function isDumb(): boolean {
  return process.env['TERM'] === 'dumb'
}

/** NO_COLOR (https://no-color.org) disables colours, FORCE_COLOR enables them without a terminal. */
function useColour(): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '' } = process.env
  if (NO_COLOR !== '') return false
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return process.stdout.isTTY === true && !isDumb()
}
