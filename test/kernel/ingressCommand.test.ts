import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { commandProgram } from '../../src/host/ingress/commandProgram.js'
import { configuredProxy } from '../../src/host/ingress/configuredProxy.js'
import { proxyCommand } from '../../src/host/ingress/proxyProgram.js'
import { runningProxies } from '../../src/host/ingress/runningProxies.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { route } from '../ingress/models.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { everywhere } from './proxyModels.js'
import { mustHold } from './proxyUnderTest.js'
import { vethlab } from './servedCommands.js'

t.test(
  'a custom program is notified of changes, and a configuration that it rejects is not kept',
  { skip: cannotRun },
  async (t) => {
    // a checkout below /tmp is not in the sandbox, and its root cannot read every other one
    const own = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
    t.teardown(() => rmSync(own, { recursive: true, force: true }))
    chmodSync(own, 0o755)
    copyFileSync('test/fixtures/ingressCommand.mjs', join(own, 'program.mjs'))
    const sandbox = await startSandbox('own', { show: [own] })
    t.teardown(() => sandbox.stop())
    const program = commandProgram([process.execPath, 'program.mjs', 'bad'], own)
    const folder = '/run/vethlab/ingress/own'
    const configured = configuredProxy(sandbox, { program, folder, families: ['IPv4'] })
    const model = (id: string) => everywhere(route({ id }))
    const current = () => readlinkSync(`/proc/${sandbox.pid}/root${folder}/current`)
    t.same(await configured.put(model('first')), { live: true }, 'nothing runs that could refuse it')
    sandbox.start(proxyCommand(program, folder), { log: '/run/own.log' })
    await mustHold(
      () => runningProxies(sandbox, program, folder).length === 1,
      () => sandbox.inside.read('/run/own.log'),
    )
    t.same(await configured.settle(), { live: true })
    const [replica] = runningProxies(sandbox, program, folder)
    t.same(await replica?.status(), { generation: '1', error: undefined })
    t.same(await configured.put(model('second')), { live: true })
    t.same(await configured.put(model('bad')), { live: false, message: 'version 1: no bad' })
    t.equal(current(), 'generations/2')
    t.same(
      await replica?.status(),
      { generation: '2', error: undefined },
      'it has read the last good one again',
    )
    t.same(await configured.put(model('third')), { live: true })
    t.equal(current(), 'generations/4')
  },
)

t.test('of a program that ends a lab says what it said', { skip: cannotRun }, async (t) => {
  const lab = copyOfLab(t, 'ingress-classes')
  const file = join(lab, 'lab.yaml')
  const failing = `command: [sh, -c, 'echo out of ideas >&2; exit 3']`
  writeFileSync(file, readFileSync(file, 'utf8').replace('command: [node, controller.mjs]', failing))
  const { code, stdout, stderr } = await vethlab(['run', lab])
  t.equal(code, 1)
  const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
  t.match(text, /pod own\/own-controller-\S+ is not ready: container controller ended with exit code 3/)
  t.match(text, /out of ideas/)
})
