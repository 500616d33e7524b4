import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Diagnosis } from '../../src/host/doctor/diagnose.js'
import { sandboxNotices } from '../../src/host/sandbox/sandboxNotices.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'
import { withoutUserNamespaces } from './withoutUserNamespaces.js'

const skip = cannotRun || (process.getuid?.() !== 0 && 'needs root')

t.test('the root of a lab that root runs is nobody on the host', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, 'secret', { mode: 0o600 })
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  t.equal(sandbox.weakness, undefined)
  t.not(sandbox.owner, 0)
  const status = readFileSync(`/proc/${sandbox.pid}/status`, 'utf8')
  t.match(status, new RegExp(`^Uid:\\s+${sandbox.owner}\\s`, 'm'))
  t.equal((await sandbox.run(['id', '-u'])).stdout, '0\n', 'and root inside')
  t.not((await sandbox.run(['cat', file])).exitCode, 0, 'it reads no file of root')
  t.not((await sandbox.run(['sh', '-c', 'echo >"$0"', file])).exitCode, 0, 'and writes none')
  t.equal(readFileSync(file, 'utf8'), 'secret')
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'lab.yaml'), '', { mode: 0o600 })
  t.match(sandboxNotices(sandbox, folder), [
    /cannot read its file secret: .*`chmod -R a\+rX \/.*` permits it$/,
  ])
  chmodSync(file, 0o644)
  t.strictSame(sandboxNotices(sandbox, folder), [], 'only vethlab reads lab.yaml')
})

t.test('what is written from outside belongs to the root inside', { skip }, async (t) => {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  await sandbox.writeFiles([{ path: '/run/vethlab/one/two/file', text: 'a\n' }])
  const write = 'cd /run/vethlab/one/two && echo b >>file && mv file other && cat other'
  t.equal((await sandbox.run(['sh', '-c', write])).stdout, 'a\nb\n')
  const refused = await sandbox.run(['sh', '-c', 'echo >/run/vethlab/lab.json'])
  t.not(refused.exitCode, 0, 'what says which labs are up is not its to write')
})

t.test('where the kernel allows no user namespace, a lab runs and says so', { skip }, async (t) => {
  const { code, stdout, stderr } = await withoutUserNamespaces(['run', 'nodeport', '--reporter', 'json'])
  t.equal(code, 0, stderr)
  const { notices, ok } = JSON.parse(stdout) as LabResult
  t.equal(ok, true)
  const own = notices.filter((notice) => notice.startsWith('the root of this lab is the root of the host'))
  t.equal(own.length, 1)
  t.match(own[0], /No space left on device; `vethlab doctor` names the fix$/)
})

t.test('and doctor says what to change', { skip }, async (t) => {
  const { stdout, stderr } = await withoutUserNamespaces(['doctor', '--json'])
  const { findings } = JSON.parse(stdout) as Diagnosis
  t.match(
    findings.find(({ group, name }) => group === 'kernel' && name === 'user namespaces'),
    { status: 'missing', required: false, remedy: 'sudo sysctl -w user.max_user_namespaces=15000' },
    stderr,
  )
})

t.test('nft tables of many Services load there, in several transactions', { skip }, async (t) => {
  const last = 1_499
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { app: 'web' } } },
    spec: { containers: [{ name: 'web', image: 'web', ports: [{ containerPort: 8080 }] }] },
  }
  const services = Array.from({ length: last + 1 }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: `s${index}` } },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  }))
  const step = {
    ...{ name: 'Call the last', from: 'node-a' },
    ...{ curl: { url: `http://{s${last}}/` }, expect: { status: 200 } },
  }
  const lab = t.testdir({
    'lab.yaml': JSON.stringify({ title: 'Many', topology: { nodes: ['node-a'] }, steps: [step] }),
    manifests: { 'all.yaml': [pod, ...services].map((one) => JSON.stringify(one)).join('\n---\n') },
  })
  const { code, stdout, stderr } = await vethlab(['run', lab, '--mode', 'nftables', '--reporter', 'json'])
  t.equal(code, 0, stderr)
  const { notices } = JSON.parse(stdout) as LabResult
  t.notMatch(notices.join('\n'), 'the root of this lab', 'it has a user namespace')
})
