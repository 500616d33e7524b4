import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { vethlab } from './cli.js'

t.test('list has a line for each lab of the repository', (t) => {
  const { code, stdout } = vethlab(['list'])
  const labs = readdirSync('labs')
    .filter((name) => existsSync(join('labs', name, 'lab.yaml')))
    .sort()
  t.equal(code, 0)
  t.strictSame(
    stdout.split('\n').map((line) => line.split(/\s/)[0] ?? ''),
    [...labs, ''],
  )
  t.match(stdout, /^nodeport {2,}\S.+$/m, 'with its title')
  t.end()
})

t.test('a lab in the current folder comes first, and an invalid lab is listed with its error', (t) => {
  const cwd = t.testdir({
    labs: {
      nodeport: { 'lab.yaml': 'title: My own nodeport\nsteps: []\n' },
      wrong: { 'lab.yaml': 'title: Wrong\nstepz: []\n' },
      'no-lab': {},
    },
  })
  const { code, stdout } = vethlab(['list'], { cwd })
  t.equal(code, 2)
  t.match(stdout, /^wrong +invalid: labs\/wrong\/lab\.yaml:2:1: unknown field "stepz"/m)
  t.notMatch(stdout, /no-lab/)
  t.equal(stdout.match(/^nodeport /gm)?.length, 1)
  const json = vethlab(['list', '--json'], { cwd })
  t.equal(json.code, 2)
  const labs = JSON.parse(json.stdout) as { lab: string; title: string; directory: string; error?: string }[]
  const find = (name: string) => labs.find(({ lab }) => lab === name)
  t.match(find('nodeport'), { title: 'My own nodeport', directory: `${cwd}/labs/nodeport` })
  t.match(find('wrong'), { title: '', error: /^invalid: labs\/wrong\/lab.yaml:2:1/ })
  t.end()
})
