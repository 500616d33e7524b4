import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const run = promisify(execFile)

async function up(t: Test, lab: string): Promise<string> {
  const path = copyOfLab(t, lab)
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const { code, stderr } = await vethlab(['up', path])
  t.equal(code, 0, stderr)
  return name
}

/** Starts `vethlab forward` with free ports, and returns `address:port` of each. */
async function forward(t: Test, args: readonly string[], pairs: readonly string[]) {
  const forwarding = start(['forward', ...args, ...pairs])
  t.teardown(() => forwarding.kill('SIGKILL'))
  // the lines are printed together, and the last one names the last pair
  const said = await forwarding.says(`${pairs.at(-1)?.slice(1) ?? ''} (`)
  const stop = async () => {
    forwarding.kill('SIGINT')
    return forwarding.ended
  }
  return {
    forwarding,
    stop,
    at: [...said.matchAll(/^Forwarding (\S+) -> /gm)].map(([, where = '']) => where),
  }
}

async function curl(...args: string[]): Promise<string> {
  return (await run('curl', ['--disable', '--silent', '--noproxy', '*', '--max-time', '60', ...args])).stdout
}

const serverOf = (answer: string) => JSON.parse(answer) as { pod: string; client: string }

t.test('ports of the host lead to a Service, a pod and a node port', { skip: cannotRun }, async (t) => {
  const lab = await up(t, 'nodeport')
  const pod =
    (await vethlab(['kubectl', '--built-in', lab, 'get', 'pods', '-o', 'name'])).stdout.split('\n')[0] ?? ''
  const pairs = [':service/my-nodeport-service:80', `:${pod}:80`, ':node/node-b:30080']
  const { at, stop } = await forward(t, [lab], pairs)
  t.equal(at.length, 3)
  const [service = '', onePod = '', nodePort = ''] = at
  const called = await Promise.all(Array.from({ length: 40 }, () => curl(`http://${service}/`)))
  const pods = new Set(called.map((answer) => serverOf(answer).pod))
  t.equal(pods.size, 2, 'the rules of kube-proxy choose among both pods')
  for (const answer of called)
    t.match(serverOf(answer).client, /^(172\.18\.0\.2|10\.244\.1\.1):/, 'an address of node-a')
  t.equal(`pod/${serverOf(await curl(`http://${onePod}/`)).pod}`, pod)
  t.ok(pods.has(serverOf(await curl(`http://${nodePort}/`)).pod))

  const second = await vethlab([
    'forward',
    lab,
    `${service.split(':')[1] ?? ''}:service/my-nodeport-service:80`,
  ])
  t.equal(second.code, 3)
  t.match(second.stderr, /port \d+ of 127\.0\.0\.1 is in use by another process/)

  const { code } = await stop()
  t.equal(code, 130)
  await t.rejects(curl(`http://${service}/`), 'nothing listens any more')
})

t.test('--from selects the node on which connections start; IPv6 works', { skip: cannotRun }, async (t) => {
  const lab = await up(t, 'nodeport')
  const args = [lab, '--from', 'node-b', '--address', '::1']
  const { at, forwarding } = await forward(t, args, [':my-nodeport-service:80'])
  const [where = ''] = at
  t.match(where, /^\[::1\]:\d+$/)
  t.match(serverOf(await curl(`http://${where}/`)).client, /^(172\.18\.0\.3|10\.244\.2\.1):/)
  t.equal(
    (await vethlab(['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '0'])).code,
    0,
  )
  await t.rejects(curl(`http://${where}/`))
  await forwarding.says('connection to service/my-nodeport-service:80: ')
  t.equal((await vethlab(['down', lab])).code, 0)
  const { code, stderr } = await forwarding.ended
  t.equal(code, 2)
  t.match(stderr, 'was removed while the command was running')
})

t.test('an Ingress answers by its host name', { skip: cannotRun }, async (t) => {
  const lab = await up(t, 'ingress')
  const { at, stop } = await forward(t, [lab], [':service/ingress-nginx-controller:http'])
  const [where = ''] = at
  const port = where.split(':')[1] ?? ''
  const byName = await curl(
    '--resolve',
    `example.com:${port}:127.0.0.1`,
    `http://example.com:${port}/b/pings`,
  )
  const byHeader = await curl('-H', 'Host: example.com', `http://${where}/b/pings`)
  for (const answer of [byName, byHeader]) t.match(serverOf(answer).pod, /^b-/, answer)
  t.match(
    serverOf(await curl(`http://${where}/b/pings`)).pod,
    /^fallback-/,
    'another host has another backend',
  )
  await stop()
})

t.test('what cannot be forwarded is an error', { skip: cannotRun }, async (t) => {
  const lab = await up(t, 'nodeport')
  const rejects = async (args: string[], code: number, message: RegExp) => {
    const ended = await vethlab(['forward', lab, ...args])
    t.equal(ended.code, code, ended.stderr)
    t.match(ended.stderr, message)
  }
  await rejects([':my-nodeport-servic:80'], 2, /did you mean "my-nodeport-service"/)
  await rejects([':service/my-nodeport-service:81'], 2, /has no port 81; its ports: 80\/TCP/)
  await rejects(['80801:service/my-nodeport-service:80'], 2, /not a pair/)
  await rejects(['--address', '198.51.100.7', ':service/my-nodeport-service:80'], 2, /has no address 198/)
  await rejects(['--from', 'node-z', ':service/my-nodeport-service:80'], 2, /no node/)
  const squatter = createServer().listen(0, '127.0.0.1')
  t.teardown(() => squatter.close())
  await once(squatter, 'listening')
  const { port } = squatter.address() as AddressInfo
  await rejects([`${port}:service/my-nodeport-service:80`], 3, /is in use/)
})
