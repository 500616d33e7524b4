import t from 'tap'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { lastLineOf } from '../../src/host/sandbox/runProcesses.js'
import { cannotRun } from './ability.js'

const log = '/run/vethlab/log/web'

t.test('a container cannot fill the memory with its output', { skip: cannotRun }, async (t) => {
  await withSandbox('container-logs', {}, async (starting) => {
    const sandbox = await starting
    const script = 'yes | head -c 200000000; echo again >/dev/stdout; echo fault >&2; echo last'
    const { process } = sandbox.start(['sh', '-c', script], { log })
    t.equal((await process).exitCode, 0, 'no write failed')
    const folder = '/run/vethlab/log'
    t.strictSame(sandbox.inside.list(folder).sort(), ['web', 'web.1', 'web.2', 'web.3', 'web.4'])
    const { stdout } = await sandbox.run(['du', '-sk', folder])
    t.ok(Number.parseInt(stdout) <= 50 * 1024 + 100, `${stdout.trim()} KiB`)
    t.match(sandbox.inside.read(log), /\ny\nagain\nfault\nlast\n$/)
    t.equal(lastLineOf(sandbox, { log }), 'last')
  })
})

t.test('a process of a container that has ended still writes its log', { skip: cannotRun }, async (t) => {
  await withSandbox('container-logs', {}, async (starting) => {
    const sandbox = await starting
    const script =
      'echo first; (until [ -e /run/vethlab/go ]; do sleep 0.1; done; echo later; echo >/run/vethlab/gone) & exit 3'
    const { process } = sandbox.start(['sh', '-c', script], { log })
    t.equal((await process).exitCode, 3)
    t.equal(sandbox.inside.read(log), 'first\n')
    sandbox.inside.write('/run/vethlab/go', '')
    t.equal((await sandbox.run(['sh', '-c', 'until grep later "$0"; do sleep 0.1; done', log])).exitCode, 0)
  })
})
