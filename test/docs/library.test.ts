import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as library from '../../src/index.js'
import { cannotRun } from '../kernel/ability.js'

const folder = 'docs/examples'

t.test('the examples of the library pass as they are', { skip: cannotRun }, (t) => {
  for (const file of readdirSync(folder)) {
    // a test runner inside a test: without the outer one's reporting
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', join(folder, file)], {
      encoding: 'utf8',
      env,
    })
    t.equal(status, 0, `${file}\n${stdout}${stderr}`)
    t.match(stdout, /^# pass 3$/m)
  }
  t.end()
})

t.test('what the page names is what the library has', (t) => {
  const page = readFileSync('docs/library.md', 'utf8')
  for (const name of ['withLab', 'runLab', 'InputError', 'CannotRunError', 'CommandError'] as const) {
    t.type(library[name], 'function')
    t.match(page, name)
  }
  t.end()
})
