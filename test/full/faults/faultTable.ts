import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { isFull } from '../../suite.js'

/** A row of test/reliability.md. */
export interface Fault {
  readonly name: string
  readonly codes: readonly number[]
  /** Path of the test file in test/full, without extension. */
  readonly file: string
}

/** The rows of the fault table: fault, what happens, exit codes, test. */
export function readFaultTable(): Fault[] {
  return readFileSync('test/reliability.md', 'utf8')
    .split('\n')
    .map((line) => /^\| (.+?) +\| .+ \| (\S.*?) +\| `test\/full\/([\w/]+)\.test\.ts` *\|$/.exec(line))
    .flatMap((row) => (row === null ? [] : [toFault(row)]))
}

function toFault([, name = '', codes = '', file = '']: RegExpExecArray): Fault {
  return { name: name.replaceAll('`', ''), codes: (codes.match(/\d+/g) ?? []).map(Number), file }
}

/** What is known of a fault when its test runs. */
export interface FaultTest {
  readonly name: string
  /** Fails for an exit code that the table does not name; `what` says of which command. */
  ended(code: number | null, what: string): void
}

/** How the test of a fault is run. */
export interface FaultOptions {
  readonly skip?: string | false
  readonly timeout?: number
  /** True if `npm test`, which runs some of these tests too, has the mechanism elsewhere. */
  readonly fullOnly?: boolean
}

/**
 * Declares the test of a row of the table; throws for a fault that has no row. The exit codes that the test allows are
 * those of the row.
 */
export function fault(
  file: string,
  name: string,
  { fullOnly = false, ...options }: FaultOptions,
  test: (t: Test, row: FaultTest) => Promise<void>,
): void {
  const found = readFaultTable().find((row) => row.file === file && row.name === name)
  if (found === undefined) throw new Error(`test/reliability.md has no row "${name}" of ${file}.test.ts`)
  if (fullOnly && !isFull) return
  const { codes } = found
  t.test(name, options, (t) =>
    test(t, {
      name,
      ended: (code, what) => {
        if (code === null || !codes.includes(code))
          t.fail(`it ended with ${code ?? 'a signal'}, not ${codes.join(' or ')}: ${what}`)
      },
    }),
  )
}
