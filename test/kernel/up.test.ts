import { basename } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { machineState, processesWith } from './machineState.js'
import { vethlab } from './servedCommands.js'
import { until } from '../until.js'

t.test('a lab goes up, can be looked into, and goes down', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  const up = await vethlab(['up', path])
  t.equal(up.code, 0, up.stderr)
  t.teardown(() => vethlab(['down', lab]))

  const ps = await vethlab(['ps'])
  t.match(ps.stdout, lab)
  const listed = JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string }[]
  t.ok(listed.some((one) => one.lab === lab))

  const again = await vethlab(['up', path])
  t.equal(again.code, 2)
  t.match(again.stderr, 'is already running')

  const curl = await vethlab(['exec', lab, 'client', '--', 'curl', '-s', 'http://172.18.0.3:30080/'])
  t.equal(curl.code, 0, curl.stderr)
  t.match(curl.stdout, '"pod":"my-app-')
  const rules = await vethlab(['exec', lab, 'node-a', '--', 'iptables', '-t', 'nat', '-S', 'KUBE-NODEPORTS'])
  t.match(rules.stdout, '--dport 30080')
  const pod = await vethlab(['exec', lab, 'app=my-app@node-b', '--', 'ip', '-o', 'address'])
  t.match(pod.stdout, '10.244.2.2/24')
  t.equal((await vethlab(['exec', lab, 'node-a', '--', 'sh', '-c', 'exit 42'])).code, 42)

  const shell = await start(['shell', lab, 'node-b'], { input: 'ip -o -4 address show eth0\nexit 3\n' }).ended
  t.equal(shell.code, 3)
  t.match(shell.stdout, '172.18.0.3/16')

  const nowhere = await vethlab(['exec', lab, 'node-c', '--', 'true'])
  t.equal(nowhere.code, 2)
  t.match(nowhere.stderr, /there is no .* named "node-c"/)

  t.equal((await vethlab(['down', lab])).code, 0)
  t.strictSame(processesWith(`up:${lab}`), [])
  t.strictSame(machineState(), before)
  t.equal((await vethlab(['down', lab])).code, 2)
})

t.test('run --keep leaves the lab up after its checks', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  const run = await vethlab(['run', path, '--keep'])
  t.teardown(() => vethlab(['down', lab]))
  t.equal(run.code, 0, `${run.stdout}${run.stderr}`)
  t.match(run.stdout, 'left running')
  t.equal((await vethlab(['exec', lab, 'client', '--', 'ping', '-c', '1', '-W', '1', '172.18.0.2'])).code, 0)
  t.equal((await vethlab(['down', lab])).code, 0)
})

t.test('when what holds a lab dies, the lab is gone', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.equal((await vethlab(['up', path])).code, 0)
  const [entry] = (
    JSON.parse((await vethlab(['ps', '--json'])).stdout) as { lab: string; holder: number }[]
  ).filter((one) => one.lab === lab)
  if (entry === undefined) throw new Error('the lab is not running')
  process.kill(entry.holder, 'SIGKILL')
  t.ok(await until(() => processesWith(`up:${lab}`).length === 0), 'its processes end')
  t.notMatch((await vethlab(['ps'])).stdout, lab)
})

t.test('plan prints what up runs, and runs nothing', async (t) => {
  const { code, stdout, stderr } = await vethlab(['plan', 'nodeport'])
  t.equal(code, 0, stderr)
  t.match(stdout, 'netns add node-a')
  t.match(stdout, 'addr add 172.18.0.2/16 dev eth0')
  t.match(stdout, /iptables-restore .*node-b\.v4/)
  t.match(stdout, '-A KUBE-NODEPORTS')
  t.match(stdout, /nginx -e .* -c /)
})
