import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, mkdtempSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { findTool } from '../../src/host/environment.js'

/** The size of the package that is not exceeded, in bytes. */
const mostBytes = 2.6 * 1000 * 1000
const bundle = 'test/golden/bundles/dump-target-port/bundle'

const folder = mkdtempSync(join(tmpdir(), 'vethlab-package-'))
chmodSync(folder, 0o755)
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, 'package')

/** A PATH with Node, the commands of the package, and no other tool. */
const bin = join(folder, 'bin')

/** Runs a command with Node alone, as another user than root. */
function run(file: string, args: readonly string[]) {
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const { status, stdout, stderr } = spawnSync(file, args, {
    ...nobody,
    ...{ cwd: folder, encoding: 'utf8', env: { PATH: bin, HOME: folder } },
  })
  return { status, stdout, stderr }
}

t.before(() => {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(spawnSync('npm', pack, { encoding: 'utf8' }).stdout) as [
    { filename: string },
  ]
  const file = join(folder, filename)
  t.comment(`figure: the package has ${(statSync(file).size / 1e6).toFixed(2)} MB`)
  t.ok(statSync(file).size <= mostBytes, 'the package is small')
  t.equal(spawnSync('tar', ['-xzf', file, '-C', folder]).status, 0)
  const { bin: commands } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin: Readonly<Record<string, string>>
  }
  t.strictSame(commands, { vethlab: 'dist/cli.cjs', 'kubectl-vethlab': 'dist/cli.cjs' })
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const [name, path] of Object.entries(commands)) symlinkSync(join(root, path), join(bin, name))
  t.equal(spawnSync('tar', ['-czf', join(folder, 'bundle.tar.gz'), '-C', bundle, '.']).status, 0)
})

t.test(
  'the package answers on Node alone: without root, tools, and packages that it depends on',
  async (t) => {
    const { status, stdout, stderr } = run(join(bin, 'vethlab'), ['check', 'bundle.tar.gz'])
    t.equal(stderr, '')
    t.equal(status, 1)
    t.match(stdout, /targetPort/)
    const about = run(join(bin, 'vethlab'), ['--version'])
    t.match(about.stdout, /^\d+\.\d+\.\d+ \(build ([0-9a-f]{12}\+?|unknown), kube-proxy 1\.\d+\)\n$/)
  },
)

const kubectl = findTool('kubectl')

t.test('it is a plugin of kubectl', { skip: kubectl === undefined && 'kubectl is missing' }, async (t) => {
  const plugin = run(kubectl ?? '', ['vethlab', 'check', 'bundle.tar.gz'])
  t.strictSame(plugin, run(join(bin, 'vethlab'), ['check', 'bundle.tar.gz']))
})
