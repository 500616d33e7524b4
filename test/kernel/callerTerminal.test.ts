import { basename, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { startTerminal } from '../../src/host/terminal/startTerminal.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab } from './commandLine.js'
import { processesWith } from './machineState.js'

const cli = `${process.execPath} ${resolve('dist/cli.cjs')}`

/**
 * What a program of a lab does to a terminal that it gets: it types a command into it (TIOCSTI), and stays in the background to read
 * what is typed later. `''` distinguishes what a shell executes from what it only shows.
 */
const attack = `
trap "" HUP
perl -e 'for my $tty (*STDIN, do { open T, "+<", "/dev/tty"; *T }) { for (split //, "echo for\\x27\\x27ged\\n") { $c = $_; ioctl $tty, 0x5412, $c } }'
(while read -r line </dev/tty || read -r line <&3; do echo "$line" >>/run/vethlab/shared/stolen; done) 3<&0 &
echo atta''cked
`

/** A shell of a person on a terminal, and a lab. */
async function person(t: Test) {
  const path = copyOfLab(t, 'clusterip')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  const { code, stderr } = await vethlab(['up', path])
  t.equal(code, 0, stderr)
  const terminal = startTerminal(['sh', '-i'], { PS1: 'person: ' }, { rows: 24, columns: 300 })
  t.teardown(() => terminal.close())
  let shown = ''
  terminal.output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  return {
    lab,
    /** Types at the prompt: what is typed before goes to the command that still runs. */
    type: async (line: string) => {
      await until(() => shown.endsWith('person: '))
      await terminal.write(`${line}\n`)
    },
    typeInto: (line: string) => terminal.write(`${line}\n`),
    shows: (text: string) => until(() => shown.includes(text)),
    shown: () => shown,
    /** What a process of the lab read, also of what it typed itself. */
    stolen: async () =>
      (await vethlab(['exec', lab, 'client', '--', 'cat', '/run/vethlab/shared/stolen'])).stdout,
  }
}

const word = (script: string) => `'${script.replaceAll("'", `'\\''`)}'`

for (const [what, after] of [
  ['on a terminal', ''],
  ['whose output is a pipe', ' | cat'],
  ['whose errors go elsewhere', ' 2>/dev/null'],
  ['with input that is no terminal', ' </dev/null'],
] as const) {
  t.test(
    `a command of a lab ${what} does not get the terminal of its caller`,
    { skip: cannotRun },
    async (t) => {
      const { lab, type, shows, shown, stolen } = await person(t)
      await type(`${cli} exec ${lab} client -- sh -c ${word(attack)}${after}`)
      t.ok(await shows('attacked'))
      for (const number of [1, 2, 3, 4, 5, 6]) {
        await type(`echo li''ne-${number}`)
        t.ok(await shows(`line-${number}`), `line ${number} reaches the shell of the person`)
      }
      t.notMatch(shown(), 'forged', 'nothing was typed')
      t.notMatch(await stolen(), 'li', 'nor read')
    },
  )
}

t.test('a shell of a lab is on a terminal, whose size and keys work', { skip: cannotRun }, async (t) => {
  const { lab, type, typeInto, shows, shown } = await person(t)
  await type(`stty cols 123; ${cli} shell ${lab}`)
  await until(() => shown().includes('\\w# ') || shown().includes('/# '))
  await typeInto(`stty size; tty -s && echo is''tty; sleep 54321`)
  t.ok(await shows('istty'))
  t.match(shown(), /24 123/)
  // before the command runs, Ctrl-C would be for the shell
  t.ok(await until(() => processesWith('54321').length > 0))
  await typeInto('\x03')
  await typeInto(`echo in''terrupted; exit 7`)
  t.ok(await shows('interrupted'), 'Ctrl-C ends a command of the shell, not the shell')
  await type(`echo co''de $?; stty -a | grep -c ' icanon'`)
  t.ok(await shows('code 7'))
  t.ok(await shows('\n1'), 'the terminal of the person is as before')
})

t.test('input and both outputs of a command are passed', { skip: cannotRun }, async (t) => {
  const { lab } = await person(t)
  const argv = ['exec', lab, 'client', '--', 'sh', '-c', 'cat; echo error >&2; exit 3']
  const { code, stdout, stderr } = await vethlab(argv, { input: 'input\0\n' })
  t.strictSame({ code, stdout, stderr }, { code: 3, stdout: 'input\0\n', stderr: 'error\n' })
})

t.test(
  'a command in the background of a shell of a person is not stopped',
  { skip: cannotRun },
  async (t) => {
    const { lab, type, shows } = await person(t)
    await type(`${cli} exec ${lab} client -- echo don''e & wait; echo co''de $?`)
    t.ok(await shows('done'))
    t.ok(await shows('code 0'))
  },
)
