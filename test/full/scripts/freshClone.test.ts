import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { diagnose } from '../../../src/host/doctor/diagnose.js'

// What a stranger does: clone, then the README's two commands. The clone holds what is committed, nothing else.
// Far from this checkout, whose node_modules would be found from a folder below it.
const temporary = mkdtempSync(join(tmpdir(), 'vethlab-'))
t.teardown(() => rmSync(temporary, { recursive: true, force: true }))
const folder = join(temporary, 'a clone')
const cloned = spawnSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', process.cwd(), folder], {
  encoding: 'utf8',
})
const isCheckout = existsSync('.git')
const { ok: canRun } = await diagnose()
const skip = !isCheckout
  ? 'not a git checkout'
  : canRun
    ? false
    : 'this machine cannot run labs (vethlab doctor)'

/** Inside a test npm and tap speak through the environment; a stranger's shell has none of it. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|TAP|_TAPJS|NODE_OPTIONS$|INIT_CWD$)/.test(name)),
)

/** A command as it stands in the README; the tests run as the user that sudo would make, or rootless. */
function type(command: string) {
  const [file = '', ...args] = command.replace(/^sudo /, '').split(' ')
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return { code: status, stdout, stderr }
}

/** Says what a command printed only when it failed. */
function passes(t: Test, ended: ReturnType<typeof type>, name: string) {
  if (!t.equal(ended.code, 0, name)) t.comment(ended.stdout + ended.stderr)
}

t.test("the README's first command, in a fresh clone and again", { skip }, (t) => {
  t.equal(cloned.status, 0, cloned.stderr)
  const commands = /^ {4}(sudo npm .*)\n {4}(sudo npm .*)$/m.exec(
    readFileSync(join(folder, 'README.md'), 'utf8'),
  )
  t.strictSame(commands?.slice(1), ['sudo npm run lab nodeport', 'sudo npm test'])

  const first = type('sudo npm run lab nodeport')
  passes(t, first, 'the lab passes in the fresh clone')
  t.match(
    first.stderr,
    /^vethlab: installing node_modules \(npm ci\)\n[^]*^vethlab: building the command line$/m,
  )
  t.match(first.stdout, /^✔ nodeport: \d+ checks passed, .*nothing left behind/m)

  const second = type('sudo npm run lab nodeport')
  passes(t, second, 'and once more')
  t.notMatch(second.stderr, /vethlab: (installing|building)/, 'nothing is brought twice')

  const status = spawnSync('git', ['-c', 'safe.directory=*', 'status', '--porcelain'], {
    cwd: folder,
    encoding: 'utf8',
  })
  t.equal(status.stdout, '', 'the clone is as it was: what is made there is ignored')
  t.end()
})

// `npm test` whole would run this test again: a filter takes a part of the tests, and the rest is the same.
t.test("the README's second command, over a part of the tests", { skip }, (t) => {
  const tests = type('sudo npm test -- host/doctor/nodeFinding --reporter=tap')
  passes(t, tests, 'the tests pass')
  t.match(tests.stdout, /^ok 1 - host\/doctor\/nodeFinding/m)
  t.match(tests.stdout, /^ {4}# Subtest: host\/doctor\/nodeFinding$/m)
  t.match(tests.stdout, /^1\.\.1$/m)

  const none = type('sudo npm test -- no-such-test')
  t.equal(none.code, 2)
  t.match(none.stderr, /^vethlab: no test matches no-such-test$/m)
  t.end()
})

const isRoot = process.getuid?.() === 0

t.test(
  "in an ordinary user's clone, root makes nothing that the user cannot change",
  { skip: skip || (isRoot ? false : 'needs root') },
  (t) => {
    const nobody = '65534'
    for (const made of ['dist', 'build', '.tap']) rmSync(join(folder, made), { recursive: true, force: true })
    spawnSync('chown', ['-R', `${nobody}:${nobody}`, folder])
    const run = type('sudo npm run lab nodeport')
    passes(t, run, 'the lab passes')
    t.match(run.stdout, /^✔ nodeport: /m, 'npm keeps the rights of root')
    const foreign = spawnSync('find', [folder, '-not', '-uid', nobody], { encoding: 'utf8' })
    t.equal(foreign.stdout, '')
    t.end()
  },
)
