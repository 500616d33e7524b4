import { WriteError } from '../errors.js'
import { openOutput, type Output } from '../host/callerFiles.js'
import { asciiSymbols, isAsciiLocale } from '../text/ascii.js'
import { printableColoured, printableText } from '../text/printable.js'

/** Prints a text, with control characters except line ends and tabs as visible escapes. */
export function print(text: string): void {
  process.stdout.write(printableText(text))
}

/**
 * Prints a text for people, with colours of `createColours`, which escape control characters in the texts that they colour.
 * Symbols are ASCII characters if the locale has no others.
 */
export function printColoured(text: string): void {
  process.stdout.write(inLocale(printableColoured(text)))
}

/** Like `print` and `printColoured`, on standard error. */
export function printError(text: string): void {
  process.stderr.write(inLocale(printableText(text)))
}

/** Erases the line at which the cursor of standard error is: carriage return, erase the line (ECMA-48). */
export function eraseErrorLine(): void {
  process.stderr.write('\r\x1b[K')
}

function inLocale(text: string): string {
  return isAsciiLocale(process.env) ? asciiSymbols(text) : text
}

/** Opens the file of a report, which is written at the end. Throws WriteError, also at the end. */
export function openReportFile(path: string): Output {
  const fail = (error: unknown): never => {
    throw new WriteError(`the report to ${path}`, error)
  }
  try {
    const file = openOutput(path)
    return { write: (text) => file.write(text), end: () => file.end().catch(fail) }
  } catch (error) {
    return fail(error)
  }
}
