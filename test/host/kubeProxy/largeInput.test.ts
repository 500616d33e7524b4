import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { retrying, type InputForm } from '../../../src/host/kubeProxy/largeInput.js'

/** A tool that refuses input of more lines than it takes, and writes down each input that it has taken. */
const picky = `#!/bin/sh
text=$(cat)
[ "$(printf '%s\\n' "$text" | awk '/COMMIT/ { n = 0 } { n++ } n > most { most = n } END { print most }')" -le "$MOST" ] || {
  echo 'netlink: Error: Could not process rule: Message too long' >&2
  exit 1
}
case $text in *broken*) echo 'syntax error' >&2; exit 2 ;; esac
printf '%s\\n' "$text" >>"$TAKEN"
echo "options: $*"
`

function inFront(t: Test, form: InputForm) {
  const folder = t.testdir({ "it's": {}, temporary: {} })
  const tool = join(folder, "it's", 'tool')
  writeFileSync(tool, picky)
  chmodSync(tool, 0o755)
  const script = join(folder, 'script')
  writeFileSync(script, retrying(tool, form))
  chmodSync(script, 0o755)
  const taken = join(folder, 'taken')
  return (most: number, input: string, ...args: string[]) => {
    writeFileSync(taken, '')
    const env = {
      PATH: process.env['PATH'],
      MOST: String(most),
      TAKEN: taken,
      TMPDIR: join(folder, 'temporary'),
    }
    const { status, stdout, stderr } = spawnSync(script, args, { input, env, encoding: 'utf8' })
    t.strictSame(readdirSync(join(folder, 'temporary')), [], 'nothing is left behind')
    return { status, stdout, stderr, taken: readFileSync(taken, 'utf8') }
  }
}

t.test('input that the kernel takes is passed on as it is', (t) => {
  const run = inFront(t, 'restore')
  const text = '*nat\n:A - [0:0]\nCOMMIT\n'
  const expected = { status: 0, stdout: 'options: -w 5 --noflush\n', stderr: '', taken: text }
  t.strictSame(run(10, text, '-w', '5', '--noflush'), expected)
  t.match(run(10, '*nat\nbroken\n'), { status: 2, stderr: 'syntax error\n', taken: '' })
  t.end()
})

t.test('rules that are too long for one commit become several', (t) => {
  const run = inFront(t, 'restore')
  const rules = Array.from({ length: 450 }, (_, index) => `-A A -j B${index}`)
  const { status, stderr, taken } = run(210, `*nat\n${rules.join('\n')}\nCOMMIT\n`, '--noflush')
  t.match({ status, stderr }, { status: 0, stderr: '' })
  t.equal(taken.match(/^COMMIT$/gm)?.length, 3)
  t.strictSame(
    taken.split('\n').filter((line) => line.startsWith('-A')),
    rules,
  )
  t.end()
})

t.test('nft commands become several transactions, until one fails', (t) => {
  const run = inFront(t, 'nft')
  const commands = Array.from({ length: 2000 }, (_, index) => `add rule ip kube-proxy services rule-${index}`)
  const whole = `${commands.join('\n')}\n`
  const split = run(600, whole, '-f', '-')
  t.equal(split.status, 0, split.stderr)
  t.strictSame(split.taken.trimEnd().split('\n'), commands)
  t.ok((split.stdout.match(/options: -f -\n/g)?.length ?? 0) >= 4)
  const failed = run(600, whole.replace('rule-1999', 'broken'), '-f', '-')
  t.match(failed, { status: 2, stderr: /^syntax error$/m })
  t.match(run(0, 'not read', 'list', 'tables'), { status: 1 }, 'only a transaction is retried')
  t.end()
})
