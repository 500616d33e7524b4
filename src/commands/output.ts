import { printableColoured, printableText } from '../text/printable.js'

/** Prints a text: control characters, except line ends and tabs, are printed as visible escapes. */
export function print(text: string): void {
  process.stdout.write(printableText(text))
}

/** Prints a text that holds colours of `createColours`; texts from outside are made printable before they get any. */
export function printColoured(text: string): void {
  process.stdout.write(printableColoured(text))
}

/** Like `print`, on standard error. */
export function printError(text: string): void {
  process.stderr.write(printableText(text))
}
