import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

function count(t: Test, tap: string) {
  const file = join(t.testdir({}), 'build/tests.tap')
  const script = join(process.cwd(), 'scripts/countTap.mjs')
  const { status, stdout } = spawnSync(process.execPath, [script, file], {
    input: tap,
    encoding: 'utf8',
  })
  t.equal(readFileSync(file, 'utf8'), tap, 'the TAP is kept as it is')
  return { code: status, lastLine: stdout.trimEnd().split('\n').at(-1), stdout }
}

const subtests = `TAP version 14
# Subtest: a.test.js
    # Subtest: first
        ok 1 - one
        ok 2 - two
        1..2
    ok 1 - first
    ok 2 - needs root # SKIP not root
    1..2
ok 1 - a.test.js
# Subtest: b.test.js
    not ok 1 - three
    ok 2 - four
    1..2
not ok 2 - b.test.js
`

t.test('assertions are counted, not the lines that sum them up', (t) => {
  const { code, lastLine, stdout } = count(t, `${subtests}1..2\n`)
  t.equal(lastLine, '3 passed, 1 failed, 1 skipped')
  t.equal(code, 1)
  t.match(stdout, /^✔ first$/m)
  t.match(stdout, /^ {2}✖ b\.test\.js > three/m)
  t.match(stdout, /^failures:\n {4}✖ b\.test\.js > three\n[^✖]*^3 passed/m, 'what failed comes last')
  t.end()
})

t.test('a file that failed without a failed assertion counts as one failure', (t) => {
  const killed = '# Subtest: a.test.js\n    ok 1 - one\nnot ok 1 - a.test.js\n'
  const failed = '# Subtest: b.test.js\n    not ok 1 - two\n    1..1\nnot ok 2 - b.test.js\n'
  const { lastLine, stdout } = count(t, `TAP version 14\n${killed}${failed}1..2\n`)
  t.equal(lastLine, '1 passed, 2 failed')
  t.match(stdout, /^ {4}✖ a\.test\.js ended without a failed assertion$/m)
  t.end()
})

t.test('all passed', (t) => {
  const { code, lastLine } = count(t, 'TAP version 14\nok 1 - one\nok 2 - two\n1..2\n')
  t.equal(lastLine, '2 passed, 0 failed')
  t.equal(code, 0)
  t.end()
})

t.test('a test that was skipped is marked as skipped', (t) => {
  const tests = '    ok 1 - kernel/a # SKIP no root\n    ok 2 - kernel/b\n    1..2\n'
  const { stdout, lastLine } = count(t, `TAP version 14\n# Subtest: kernel\n${tests}ok 1 - kernel\n1..1\n`)
  t.match(stdout, /^– \(no root\) kernel\/a\n✔ kernel\/b$/m)
  t.equal(lastLine, '1 passed, 0 failed, 1 skipped')
  t.end()
})

t.test('a check that failed is a failure', (t) => {
  const ended = (code: number) =>
    `TAP version 14\nok 1 - one\n1..1\n# npm run check ended with exit code ${code}\n`
  t.match(count(t, ended(1)), { code: 1, lastLine: '1 passed, 1 failed' })
  t.match(count(t, ended(0)), { code: 0, lastLine: '1 passed, 0 failed' })
  t.end()
})

t.test('no test at all, and a run that was cut short, are failures', (t) => {
  t.match(count(t, ''), { code: 1, lastLine: '0 passed, 1 failed' })
  t.match(count(t, 'TAP version 14\n1..0 # skip nothing to do\n'), {
    code: 1,
    lastLine: '0 passed, 1 failed',
  })
  t.match(count(t, 'TAP version 14\nok 1 - one\n'), { code: 1, lastLine: '1 passed, 1 failed' })
  t.match(count(t, 'TAP version 14\n1..3\nok 1 - one\n'), { code: 1 })
  t.match(count(t, 'TAP version 14\nok 1 - one\nBail out! the machine is gone\n'), { code: 1 })
  t.end()
})

const figured = 'TAP version 14\nok 1 - one\n    # figure: 3 kills, 0 left\n1..1\n'

t.test('figures are printed where they come and again at the end', (t) => {
  const { stdout } = count(t, figured)
  t.match(stdout, /^ {2}figure: 3 kills, 0 left$/m)
  t.match(stdout, /^figures:\n {4}3 kills, 0 left\n1 passed, 0 failed\n$/m)
  t.end()
})

t.test('the end of the tests ends the count while a process still holds the pipe', async (t) => {
  const file = join(t.testdir({}), 'tests.tap')
  const child = spawn(process.execPath, [join(process.cwd(), 'scripts/countTap.mjs'), file], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.write(`${figured}# end of the tests\n`)
  const [code] = (await once(child, 'close')) as [number]
  t.equal(code, 0)
})
