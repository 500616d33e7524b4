import { spawnSync } from 'node:child_process'
import t from 'tap'

const asked = process.env['VETHLAB_TEST_VM'] !== undefined
const tools = ['mmdebstrap', 'qemu-system-x86_64', 'mke2fs']
const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
const skip = !asked
  ? 'a virtual machine takes minutes; VETHLAB_TEST_VM=1 asks for it'
  : missing.length > 0 && `not installed on this host: ${missing.join(', ')}`

t.test('a lab runs on Debian’s kernel', { skip, timeout: 900_000 }, (t) => {
  const run = (...args: string[]) =>
    spawnSync('npx', ['tsx', 'scripts/testVm.ts', ...args], { encoding: 'utf8', timeout: 800_000 })
  const { status, stdout, stderr } = run('run', 'nodeport', '--reporter', 'tap')
  t.equal(status, 0, stderr)
  t.match(stdout, /^TAP version 14/)
  t.notMatch(stdout, /^not ok/m)
  t.match(stdout, /cloud-amd64/, 'and says on which kernel')
  t.equal(run('run', 'no-such-lab').status, 2, 'the exit code is the command’s')
  t.end()
})
