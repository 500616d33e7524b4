import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { findTool } from '../../src/host/environment.js'
import { cannotRun } from './ability.js'

const skip = cannotRun || (findTool('haproxy') === undefined && 'missing here: haproxy')
const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']

/** The command line on a machine where another file is in the place of this one. */
function vethlabWith(args: readonly string[], there: string, place: string) {
  const { status, stderr } = spawnSync(
    'unshare',
    [
      ...own,
      ...['--mount', 'sh', '-c', 'mount --bind "$1" "$2" && shift 2 && exec "$@"', 'sh', there, place],
      ...[process.execPath, 'dist/cli.cjs', ...args],
    ],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  return { status, said: stderr.trim() }
}

for (const args of [
  ['run', 'ingress-classes'],
  ['up', 'ingress-classes'],
]) {
  t.test(`a tool that cannot be executed is missing for vethlab ${args.join(' ')}`, { skip }, async (t) => {
    const haproxy = findTool('haproxy') ?? ''
    const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const empty = join(folder, 'haproxy')
    writeFileSync(empty, '', { mode: 0o644 })
    const { status, said } = vethlabWith(args, empty, haproxy)
    t.equal(status, 3)
    t.ok(
      said.includes(`not installed on this host: haproxy; ${haproxy} exists but is not executable\n  try: `),
      said,
    )
    t.match(said, /apt-get install --reinstall haproxy$/)
  })
}
