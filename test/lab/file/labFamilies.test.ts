import t from 'tap'
import { OwnFamiliesError } from '../../../src/errors.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'

const stated = 'title: x\ntopology:\n  families: [IPv4]\n'

t.test('a lab that states no families has those that are asked for, and IPv4 where none are', async (t) => {
  const cwd = t.testdir({ labs: { x: { 'lab.yaml': 'title: x\n' } } })
  t.strictSame(loadLab('x', { cwd }).families, ['IPv4'])
  t.strictSame(loadLab('x', { cwd, families: ['IPv6'] }).families, ['IPv6'])
  t.strictSame(loadLab('x', { cwd, families: ['IPv6', 'IPv4'] }).families, ['IPv6', 'IPv4'])
})

t.test('a lab with its own families keeps them: others are rejected', async (t) => {
  const cwd = t.testdir({ labs: { x: { 'lab.yaml': stated } } })
  t.strictSame(loadLab('x', { cwd, families: ['IPv4'] }).families, ['IPv4'])
  for (const families of [['IPv6'], ['IPv4', 'IPv6']] as const) {
    try {
      loadLab('x', { cwd, families })
      t.fail(families.join())
    } catch (error) {
      if (!(error instanceof OwnFamiliesError)) throw error
      t.match(
        error.message,
        /^labs\/x\/lab\.yaml:3:13: the lab sets IPv4: it cannot run with IPv\S+( and IPv6)?;/,
      )
    }
  }
})
