import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const late = `
apiVersion: v1
kind: Service
metadata: { name: late }
spec:
  selector: { app: my-ap }
  ports: [{ port: 80 }]
`

async function up(t: Test, ...options: readonly string[]): Promise<{ lab: string; path: string }> {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  const started = await vethlab(['up', path, ...options])
  t.equal(started.code, 0, started.stderr)
  t.teardown(() => vethlab(['down', lab]))
  return { lab, path }
}

const done = async (t: Test, args: readonly string[]): Promise<void> => {
  const { code, stderr } = await vethlab(args)
  t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
}

t.test('trace and why follow the objects of a running lab', { skip: cannotRun }, async (t) => {
  const { lab, path } = await up(t)
  const call = [lab, 'client', 'http://{node-a}:30080/']

  await done(t, ['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '3'])
  const three = await vethlab(['trace', ...call])
  t.equal(three.code, 0, `${three.stdout}${three.stderr}`)
  t.match(three.stdout, /✔ as predicted/)
  const all = await vethlab(['trace', ...call, '--all'])
  t.match(all.stdout, /random 1\/3/, 'a choice among three pods')

  writeFileSync(join(path, 'late.yaml'), late)
  await done(t, ['kubectl', '--built-in', lab, 'apply', '-f', join(path, 'late.yaml')])
  const spelled = await vethlab(['why', lab, 'node-a', 'http://{late}/'])
  t.equal(spelled.code, 1, spelled.stderr)
  t.match(spelled.stdout, /my-ap\b[^]*my-app/, 'a Service that the files do not have, and its selector')

  await done(t, ['kubectl', '--built-in', lab, 'delete', 'service', 'my-nodeport-service'])
  const gone = await vethlab(['why', ...call])
  t.equal(gone.code, 1, gone.stderr)
  const nameless = await vethlab(['trace', lab, 'client', '{my-nodeport-service}:80'])
  t.equal(nameless.code, 2)
  t.match(nameless.stderr, /my-nodeport-service/)
  t.equal(
    (await vethlab(['why', path, ...call.slice(1), '--plan'])).code,
    0,
    'the files still have the Service',
  )
})

t.test('a running lab keeps the options that it was started with', { skip: cannotRun }, async (t) => {
  const { lab } = await up(t, '--mode', 'nftables')
  const call = ['trace', lab, 'client', 'http://{node-a}:30080/']
  const traced = await vethlab(call)
  t.equal(traced.code, 0, `${traced.stdout}${traced.stderr}`)
  t.match(traced.stdout, /service-endpoints|kube-proxy/, 'the rules of mode nftables')
  const other = await vethlab([...call, '--mode', 'iptables'])
  t.equal(other.code, 2)
  t.match(other.stderr, /is running with mode nftables, IPv4/)
})
