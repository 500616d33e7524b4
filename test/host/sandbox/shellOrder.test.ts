import { spawnSync } from 'node:child_process'
import t from 'tap'
import { shellOrder, type ShellCommand } from '../../../src/host/sandbox/shellOrder.js'

const run = (command: ShellCommand) => {
  const { stdout, stderr } = spawnSync('sh', { input: shellOrder(command, 'END') ?? '', encoding: 'utf8' })
  return { stdout, stderr }
}

t.test('a shell runs the command with exactly its words, and prints its end', async (t) => {
  const hard = ['a b', '$HOME', '`id`', "it's", '"', '\\', '*', '', 'two\nlines', '-n', '#', '<', ';']
  const argv = ['sh', '-c', 'printf "[%s]" "$@"; echo problem >&2; exit 3', 'sh', ...hard]
  t.strictSame(run({ argv }), {
    stdout: `END\n${hard.map((word) => `[${word}]`).join('')}END 3\n`,
    stderr: 'problem\nEND\n',
  })
})

t.test('input is passed without changes, and without input there is none', async (t) => {
  const input = '*nat\n$HOME `id` \\ "x"\n\tCOMMIT\n'
  t.equal(run({ argv: ['cat'], input }).stdout, `END\n${input}END 0\n`)
  t.equal(run({ argv: ['cat'] }).stdout, 'END\nEND 0\n')
})

t.test('output can be discarded, errors are kept', async (t) => {
  const argv = ['sh', '-c', 'echo out; echo err >&2']
  t.strictSame(run({ argv, stdout: 'ignore' }), { stdout: 'END\nEND 0\n', stderr: 'err\nEND\n' })
})

t.test('a command runs once for each value; the exit code is that of one that failed', async (t) => {
  const argv = ['sh', '-c', 'echo "$1" >&2; exit "$2"', '{}', '{}-{}', '{}']
  const { stdout, stderr } = run({ argv, each: ['0', '4', '0'] })
  t.equal(stdout, 'END\nEND 4\n')
  t.strictSame(stderr.split('\n').sort(), ['', '0-0', '0-0', '4-4', 'END'])
})

t.test('what a shell might change or takes long to read is not sent', async (t) => {
  t.equal(shellOrder({ argv: ['echo', 'é'] }, 'END'), undefined)
  t.equal(shellOrder({ argv: ['echo', '\0'] }, 'END'), undefined)
  t.equal(shellOrder({ argv: ['cat'], input: 'no end of line' }, 'END'), undefined)
  t.equal(shellOrder({ argv: ['cat'], input: `${'x'.repeat(70_000)}\n` }, 'END'), undefined)
})

t.test('a command gets the files of a process, and fewer capabilities', async (t) => {
  const order = shellOrder({ argv: ['true'], netns: 'pod', filesOf: '17', limited: true }, 'END') ?? ''
  const words = order.split('\n')[1] ?? ''
  t.match(
    words,
    "'nsenter' '--net=/run/netns/pod' '--mount=/proc/17/ns/mnt' '--uts=/proc/17/ns/uts' '--root=/' '--wd=/' '--' 'setpriv'",
  )
  t.match(words, /'--bounding-set=-all,[^']+' '--' 'chroot' '\/proc\/17\/root' 'true' <\/dev\/null$/)
})
