import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { InputError } from '../../src/errors.js'
import { loadLab } from '../../src/lab/file/loadLab.js'
import type { Lab } from '../../src/lab/types.js'

/** The lab that some lines of a lab.yaml make, which gets a step that does nothing. */
export function labOf(t: Test, text: string): Lab {
  const cwd = t.testdir({ labs: { x: {} } })
  writeFileSync(join(cwd, 'labs/x/lab.yaml'), `${text}\nsteps: [{ name: none, command: ['true'] }]\n`)
  return loadLab('x', { cwd, packageRoot: cwd })
}

/** Why such lines are refused, without the name of the file. */
export function refusalOf(t: Test, text: string): string {
  try {
    labOf(t, text)
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('labs/x/lab.yaml:', '')
    throw error
  }
  return 'it loaded'
}
