import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findTool, toolEnvironment } from '../../src/host/environment.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const loaded = `steps:
  - name: Requests go on
    load: { name: load, curl: 'http://{node-a}:30080/' }
  - name: Meanwhile one of another client's
    from: node-a
    curl: http://{node-a}:30080/
    repeat: 20
  - name: They end
    stop: load
    expect: { lost: 0, refused: 0, reset: 0, answered: { min: 1 }, servedBy: app=my-app }
`

/** A folder whose curl says that it is 7.81, the one of Ubuntu 22.04, and has no --rate. */
function oldCurl(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-curl-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'curl')
  writeFileSync(
    file,
    `#!/bin/sh
[ "$1" = --version ] && { echo 'curl 7.81.0 (x86_64-pc-linux-gnu) libcurl/7.81.0'; exit; }
for argument; do
  [ "$argument" = --rate ] && { echo 'curl: option --rate: is unknown' >&2; exit 2; }
done
exec ${findTool('curl') ?? 'curl'} "$@"
`,
  )
  chmodSync(file, 0o755)
  chmodSync(folder, 0o755)
  return folder
}

t.test('a load goes on with a curl that cannot pace itself', { skip: cannotRun }, async (t) => {
  const folder = copyOfLab(t, 'nodeport')
  writeFileSync(join(folder, 'lab.yaml'), loaded)
  const env = { PATH: `${oldCurl(t)}:${toolEnvironment()['PATH'] ?? ''}` }
  const { code, stdout, stderr } = await vethlab(['run', folder], { env })
  t.equal(code, 0, `${stdout}${stderr}`)
  t.match(stdout, /load: \d+ requests in .*, \d+ answered/)
})
