import { chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { diagnose } from '../../src/host/doctor/diagnose.js'
import { loadLab } from '../../src/lab/file/loadLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { vethlab } from './cli.js'

const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

t.test('init writes a lab that loads, and says how to run it', (t) => {
  const cwd = t.testdir({})
  const { code, stdout } = vethlab(['init', 'deep/my lab'], { cwd })
  t.equal(code, 0)
  t.strictSame(files(join(cwd, 'deep/my lab')), ['README.md', 'lab.yaml', 'manifests', 'manifests/app.yaml'])
  t.match(stdout, /^deep\/my lab\/lab\.yaml$/m)
  t.match(stdout, /^Run it: sudo vethlab run '\.\/deep\/my lab'$/m)
  t.match(
    readFileSync(join(cwd, 'deep/my lab/lab.yaml'), 'utf8'),
    /^# yaml-language-server: \$schema=\/\S+\/docs\/lab\.schema\.json\n/,
  )
  const [, schema = ''] = /schema=(.*)/.exec(readFileSync(join(cwd, 'deep/my lab/lab.yaml'), 'utf8')) ?? []
  t.equal(readFileSync(schema, 'utf8'), readFileSync('docs/lab.schema.json', 'utf8'), 'an editor can load it')
  const lab = loadLab(join(cwd, 'deep/my lab'))
  t.equal(lab.name, 'my lab')
  t.equal(lab.steps.length, 3)
  t.doesNotThrow(
    () => prepareLab(join(cwd, 'deep/my lab')),
    'names in its steps have a meaning in its cluster',
  )
  t.end()
})

t.test('an empty folder will do; one that holds something is refused and left alone', (t) => {
  const cwd = t.testdir({ empty: {}, used: { 'notes.txt': 'mine' }, file: '' })
  t.equal(vethlab(['init', 'empty'], { cwd }).code, 0)
  t.match(vethlab(['init', 'empty'], { cwd }), {
    code: 2,
    stderr: /^empty is not empty: nothing was written; name a new folder/,
  })
  t.match(vethlab(['init', 'used'], { cwd }), { code: 2, stderr: /^used is not empty/ })
  t.strictSame(files(join(cwd, 'used')), ['notes.txt'])
  t.equal(readFileSync(join(cwd, 'used/notes.txt'), 'utf8'), 'mine')
  t.match(vethlab(['init', 'file'], { cwd }), { code: 2, stderr: /^file is not a folder/ })
  t.match(vethlab(['init', 'file/lab'], { cwd }), { code: 2, stderr: /^cannot write to file\/lab: / })
  t.match(vethlab(['init'], { cwd }), { code: 2, stderr: /missing required argument/ })
  t.end()
})

const isRoot = process.getuid?.() === 0

t.test(
  'with sudo, the lab belongs to the user whose folder it is in',
  { skip: isRoot ? false : 'needs root' },
  (t) => {
    const cwd = t.testdir({})
    chownSync(cwd, 65534, 65534)
    t.equal(vethlab(['init', 'a/b'], { cwd }).code, 0)
    for (const path of files(cwd)) t.equal(lstatSync(join(cwd, path)).uid, 65534, path)
    t.end()
  },
)

const { ok } = await diagnose()

t.test(
  'the lab passes as it is',
  { skip: ok ? false : 'this machine cannot run labs (vethlab doctor)' },
  (t) => {
    const cwd = t.testdir({})
    vethlab(['init', 'mine'], { cwd })
    const { code, stdout, stderr } = vethlab(['run', './mine'], { cwd })
    if (!t.equal(code, 0)) t.comment(stdout + stderr)
    t.end()
  },
)
