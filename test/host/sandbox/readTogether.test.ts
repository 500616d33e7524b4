import { spawnSync } from 'node:child_process'
import t from 'tap'
import { CommandError } from '../../../src/errors.js'
import { fakeSandbox, type RunAction } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { readTogether, type Reading } from '../../../src/host/sandbox/readTogether.js'

/** A sandbox that runs commands of this host. */
function shells() {
  const sandbox = fakeSandbox()
  const run: RunAction = ([file = '', ...argv], { input }) => {
    const { status, stdout, stderr } = spawnSync(file, argv, { encoding: 'utf8', input: String(input ?? '') })
    return { exitCode: status ?? 128, stdout, stderr }
  }
  sandbox.plan(/./, run, { times: Infinity })
  return sandbox
}

function text(...commands: readonly (readonly string[])[]): Reading<readonly string[]> {
  return { commands, parse: (outputs) => outputs }
}

t.test('readings of one shell get the outputs of their own commands', async (t) => {
  const sandbox = shells()
  const words = ["it's", '$HOME', 'a  b', '']
  const read = await readTogether(sandbox, 'reading', { input: 'from above\n' }, [
    text(['cat'], ['printf', 'no end of line']),
    text(),
    { commands: [['printf', '%s\\n', ...words]], parse: ([output = '']) => output.split('\n') },
  ])
  t.strictSame(read, [['from above\n', 'no end of line'], [], [...words, '']])
  t.equal(sandbox.ran.length, 1)
})

t.test('a command that fails is named, and the next ones are not run', async (t) => {
  const sandbox = shells()
  const fails = ['sh', '-c', 'echo a fault >&2; exit 3']
  const never = ['sh', '-c', 'echo too late >&2']
  const reading = readTogether(sandbox, 'reading', { netns: 'node-a' }, [text(['true'], fails), text(never)])
  const error: unknown = await reading.catch((thrown: unknown) => thrown)
  t.ok(error instanceof CommandError)
  if (!(error instanceof CommandError)) return
  t.match(error.failure, { argv: fails, netns: 'node-a', exitCode: 3, stderr: 'a fault\n' })
})

t.test('nothing to read starts nothing', async (t) => {
  const sandbox = shells()
  t.strictSame(await readTogether(sandbox, 'reading', {}, [text()]), [[]])
  t.strictSame(sandbox.ran, [])
})
