import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { vethlab } from './cli.js'

const folders = {
  wrong: { 'lab.yaml': 'title: Wrong\nstepz: []\n' },
  worse: { 'lab.yaml': 'title: Worse\nstepz: []\n' },
}

t.test('a report is written also when labs are invalid, and names each of them', (t) => {
  const cwd = t.testdir(folders)
  const { code, stderr } = vethlab(
    ['run', './wrong', './worse', '--reporter', 'junit', '--output', 'report.xml'],
    { cwd },
  )
  t.equal(code, 2)
  t.match(stderr, /^wrong\/lab\.yaml:2:1: unknown field "stepz".*\nworse\/lab\.yaml:2:1: unknown field/)
  const text = readFileSync(join(cwd, 'report.xml'), 'utf8')
  t.match(text, /<testsuites name="vethlab" tests="2" failures="0" errors="2"/)
  t.match(text, /<testsuite name="worse" .* file="worse\/lab.yaml">/)
  t.end()
})

t.test('the same with --compare and in containers', (t) => {
  const cwd = t.testdir(folders)
  const compared = vethlab(['run', './wrong', '--compare', '--reporter', 'tap'], { cwd })
  t.equal(compared.code, 2)
  t.match(compared.stdout, /^TAP version 14\nBail out! wrong: wrong\/lab\.yaml:2:1/)
  t.equal(vethlab(['ci', './wrong', '--out', 'out'], { cwd }).code, 2)
  t.match(readFileSync(join(cwd, 'out/report.tap'), 'utf8'), /^Bail out! wrong: /m)
  t.match(readFileSync(join(cwd, 'out/junit.xml'), 'utf8'), /errors="1"/)
  t.end()
})

t.test('without a lab there is no report', (t) => {
  const { code, stdout } = vethlab(['run', '--reporter', 'tap'])
  t.equal(code, 2)
  t.equal(stdout, '')
  t.end()
})
