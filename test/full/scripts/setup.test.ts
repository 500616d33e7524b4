import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeCheckout } from './checkout.js'

const checkout = (t: Test) => {
  const made = makeCheckout()
  t.teardown(() => made.remove())
  return made
}

t.test('a fresh checkout gets node_modules and the build, and says so in a line each', (t) => {
  const { root, setUp, builds } = checkout(t)
  const first = setUp('modules', 'dist')
  t.equal(first.code, 0, first.stderr)
  t.match(first.stderr, /^vethlab: installing node_modules \(npm ci\)$/m)
  t.match(first.stderr, /^vethlab: building the command line$/m)
  t.ok(existsSync(join(root, 'node_modules/part/package.json')))
  t.ok(existsSync(join(root, 'dist/cli.cjs')))
  t.equal(first.stdout, '', 'standard output stays free for reports')

  const second = setUp('modules', 'dist')
  t.same(second, { code: 0, stdout: '', stderr: '' }, 'nothing is missing: nothing is said')
  t.equal(builds(), 1)
  t.end()
})

t.test('the command line is built again when its sources change, and only then', (t) => {
  const { root, setUp, builds, write } = checkout(t)
  setUp('modules', 'dist')
  t.equal(builds(), 1)

  write('test/a.test.ts', 'a longer test')
  setUp('modules', 'dist')
  t.equal(builds(), 1, 'a test changed: the command line stays as it is')

  write('src/a.ts', 'another a')
  setUp('dist')
  t.equal(builds(), 2, 'a source changed')

  rmSync(join(root, 'src/b.ts'))
  setUp('dist')
  t.equal(builds(), 3, 'a source was removed')

  utimesSync(join(root, 'src/a.ts'), new Date(0), new Date(0))
  setUp('dist')
  t.equal(builds(), 4, 'a source was put back with an older time')

  rmSync(join(root, 'dist'), { recursive: true })
  setUp('dist')
  t.equal(builds(), 5, 'the build was removed')
  t.end()
})

t.test('sources that do not build end it with 1, and are tried again', (t) => {
  const { setUp, write } = checkout(t)
  write('src/a.ts', 'broken')
  const failed = setUp('modules', 'dist')
  t.equal(failed.code, 1)
  t.match(failed.stderr, /^vethlab: building the command line failed \(exit 1\)$/m)
  t.notMatch(failed.stderr, /at .*\.mjs/, 'no stack trace')
  write('src/a.ts', 'fixed')
  t.equal(setUp('modules', 'dist').code, 0)
  t.end()
})

t.test('node_modules follow package-lock.json', (t) => {
  const { root, setUp, write } = checkout(t)
  const installs = () => setUp('modules').stderr.includes('installing node_modules')
  t.ok(installs())
  const lockFile = join(root, 'package-lock.json')
  const later = new Date(Date.now() + 60_000)
  utimesSync(lockFile, later, later)
  t.notOk(installs(), 'a lock that was only touched')

  const lock = (version: string) => ({
    name: 'fixture',
    lockfileVersion: 3,
    packages: {
      '': { name: 'fixture', version: '1.0.0', dependencies: { part: 'file:part' } },
      'node_modules/part': { resolved: 'part', link: true },
      part: { version },
    },
  })
  write('package-lock.json', JSON.stringify(lock('1.0.1')))
  write('part/package.json', JSON.stringify({ name: 'part', version: '1.0.1' }))
  utimesSync(lockFile, later, later)
  t.ok(installs(), 'a lock that asks for another version')

  rmSync(join(root, 'node_modules/.package-lock.json'))
  t.ok(installs(), 'an installation that was interrupted')

  write('package-lock.json', '{}')
  utimesSync(lockFile, new Date(Date.now() + 120_000), new Date(Date.now() + 120_000))
  const failed = setUp('modules')
  t.equal(failed.code, 3)
  t.match(failed.stderr, /npm ci failed \(exit 1\)\n {2}try: /)
  t.end()
})

t.test('several at once build once', async (t) => {
  const { startSetUp, builds } = checkout(t)
  const ended = await Promise.all([1, 2, 3, 4].map(() => startSetUp('modules', 'dist')))
  t.strictSame(
    ended.map(({ code }) => code),
    [0, 0, 0, 0],
  )
  t.equal(builds(), 1)
})

t.test('a set-up that was killed does not block the next one', (t) => {
  const { root, setUp, write } = checkout(t)
  const gone = spawnSync(process.execPath, ['-e', ''])
  write('build/.setup.lock', `${gone.pid}`)
  const ended = setUp('modules', 'dist')
  t.equal(ended.code, 0, ended.stderr)
  t.notOk(existsSync(join(root, 'build/.setup.lock')))
  t.end()
})

const isRoot = process.getuid?.() === 0

t.test(
  "what root makes in a user's checkout belongs to that user",
  { skip: isRoot ? false : 'needs root' },
  (t) => {
    const { root, setUp } = checkout(t)
    const nobody = 65534
    const paths = () => [
      root,
      ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)),
    ]
    for (const path of paths()) chownSync(path, nobody, nobody)
    t.equal(setUp('modules', 'dist').code, 0)
    const foreign = paths().filter((path) => lstatSync(path).uid !== nobody)
    // made by the fixture's build, not by the set-up
    t.strictSame(foreign, [join(root, 'built.log')])
    t.end()
  },
)

t.test('the command line starts in the same process, where the user stands', (t) => {
  const { root, setUp } = checkout(t)
  setUp('modules', 'dist')
  const here = join(root, 'src')
  const env = { ...process.env, npm_lifecycle_event: 'vethlab', INIT_CWD: here }
  const script = join(root, 'scripts/vethlab.mjs')
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { cwd: root, env, encoding: 'utf8' })
  t.equal(run('plan', 'a lab', '--json').stdout, `plan a lab --json in ${here}`)
  const listed = run('run')
  t.match(listed.stdout, /^Usage: npm run lab/)
  t.match(listed.stdout, /list in/)
  t.end()
})

t.test('packages that only maintainers need are installed when they are needed', (t) => {
  const { root, setUp, write } = checkout(t)
  const name = 'vethlab-maintenance'
  const own = { name: 'fixture', version: '1.0.0', dependencies: { part: 'file:part' } }
  const workspaces = ['scripts/maintenance']
  write('package.json', JSON.stringify({ ...own, workspaces }))
  write('scripts/maintenance/package.json', JSON.stringify({ name, version: '1.0.0' }))
  const packages = {
    '': { ...own, workspaces },
    'node_modules/part': { resolved: 'part', link: true },
    [`node_modules/${name}`]: { resolved: 'scripts/maintenance', link: true },
    part: { version: '1.0.0' },
    'scripts/maintenance': { name, version: '1.0.0' },
  }
  write('package-lock.json', JSON.stringify({ name: 'fixture', lockfileVersion: 3, packages }))
  const installs = (need: string) => setUp(need).stderr.includes('installing node_modules')
  const isThere = () => existsSync(join(root, 'node_modules', name))
  t.ok(installs('modules'))
  t.notOk(isThere())
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(root, 'package-lock.json'), later, later)
  t.notOk(installs('modules'), 'a lock that was only touched')
  t.ok(installs('workspace'))
  t.ok(isThere())
  t.notOk(installs('modules'), 'they do not remove it')
  t.notOk(installs('workspace'))
  t.end()
})
