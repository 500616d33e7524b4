import { printableColoured, printableText } from '../text/printable.js'

/** Prints a text, with control characters except line ends and tabs as visible escapes. */
export function print(text: string): void {
  process.stdout.write(printableText(text))
}

/** Prints a text with colours of `createColours`, which escape control characters in the texts that they colour. */
export function printColoured(text: string): void {
  process.stdout.write(printableColoured(text))
}

/** Like `print`, on standard error. */
export function printError(text: string): void {
  process.stderr.write(printableText(text))
}
