import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'

const skip = cannotRun || (process.getuid?.() !== 0 && 'needs root')

t.test('a sandbox is not set up where mount did nothing', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'mount'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(folder, 'mount'), 0o755)
  // in a mount namespace of its own: the /run that such a mount(8) leaves in place is not the host's
  const script = `
set -e
mount -t tmpfs tmpfs /run
[ "$(stat -c %d /run)" != "$1" ]
echo kept >/run/file
code=0
PATH="$2:$PATH" "$3" "$4" run nodeport || code=$?
find /run -mindepth 1
exit "$code"
`
  const device = spawnSync('stat', ['-c', '%d', '/run'], { encoding: 'utf8' }).stdout.trim()
  const args = [device, folder, process.execPath, resolve('dist/cli.cjs')]
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', ...args],
    { encoding: 'utf8' },
  )
  t.equal(status, 3, stderr)
  t.match(stderr, 'mount exited with 0, but /run is not a new file system')
  t.equal(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('/run'))
      .join(),
    '/run/file',
    'nothing was written',
  )
  t.end()
})
