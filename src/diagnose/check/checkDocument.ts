import type { CheckResult } from './types.js'

/** The version of the document: it changes if a field changes its meaning or is removed. */
const version = 1

/** What `vethlab check --json` prints. */
export function checkDocument(found: CheckResult) {
  return { version, ...found }
}
