import t from 'tap'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { commandProblems } from '../../../src/cluster/pods/commandProblems.js'
import { containerCommand } from '../../../src/cluster/pods/containerCommand.js'
import type { Commands } from '../../../src/cluster/types.js'
import { cluster } from '../lab.js'

const host: Commands = { exists: (program) => ['sh', '/bin/sh'].includes(program), images: {} }

function pod(container: string, more = ''): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers: [{ name: a, ${container} }]\n${more}---\n`
}

function commandOf(text: string, commands: Commands = host): readonly string[] | undefined {
  const built = cluster(text, { commands })
  const [first] = built.pods
  if (first === undefined) throw new Error('no pod')
  return containerCommand(first, first.spec.containers[0]!, built)
}

t.test('the echo server replaces a container whose command the host does not have', (t) => {
  t.equal(commandOf(pod('image: x')), undefined)
  t.equal(commandOf(pod('image: x, command: [/app, --port=80]')), undefined)
  t.equal(commandOf(pod('image: x, command: [java, -jar, app.jar]')), undefined)
  t.same(commandOf(pod('image: x, command: [sh, -c], args: [date]')), ['sh', '-c', 'date'])
  t.same(commandOf(pod('image: x, command: [./sh], workingDir: /bin')), ['./sh'])
  t.same(commandOf(pod('image: x, command: ["$(PROGRAM)"]')), ['$(PROGRAM)'])
  t.end()
})

t.test('a command can be a file of a volume', (t) => {
  const mounts = 'volumeMounts: [{ name: scripts, mountPath: /scripts }]'
  const volume = '  volumes: [{ name: scripts, configMap: { name: scripts, defaultMode: 0755 } }]\n'
  const data =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: scripts }\ndata: { run.sh: "exit 0" }\n---\n'
  const text = (name: string) => data + pod(`image: x, command: [/scripts/${name}], ${mounts}`, volume)
  t.same(commandOf(text('run.sh')), ['/scripts/run.sh'])
  t.equal(commandOf(text('other.sh')), undefined)
  t.end()
})

t.test('images says what runs, before the command of the container', (t) => {
  const of = (image: string, images: Commands['images']) =>
    commandOf(pod(`image: "${image}", command: [sh]`), { ...host, images })
  t.same(of('shop/user:0.4', { 'shop/user': ['cat'] }), ['cat'])
  t.same(of('shop/user:0.4', { 'shop/*': ['cat'], 'shop/user:0.4': ['tac'] }), ['tac'], 'the longest pattern')
  t.equal(of('shop/user', { 'shop/user': 'echo' }), undefined)
  t.same(of('shop/users', { 'shop/user': 'echo' }), ['sh'], 'another image')
  t.end()
})

t.test('what is replaced is a notice, and with strict a problem at its place', (t) => {
  const text = pod('image: shop/app, command: [/app]')
  const built = cluster(text, { commands: host })
  t.match(clusterNotices(built), [/only images have.*default\/web \(\/app\)$/])
  const { objects } = parseManifests([{ path: 'a.yaml', text }])
  t.match(commandProblems(built, objects), [
    { message: 'Pod "web": container "a" runs "/app", which this host does not have', at: { line: 5 } },
  ])
  t.end()
})

t.test('probes that need the image are not run', (t) => {
  const probed = (container: string) =>
    clusterNotices(cluster(pod(container), { commands: host })).filter((one) => one.startsWith('probes'))
  t.equal(probed('image: x, readinessProbe: { exec: { command: [redis-cli, ping] } }').length, 1)
  t.equal(probed('image: x, readinessProbe: { httpGet: { port: 443, scheme: HTTPS } }').length, 1)
  t.equal(probed('image: x, readinessProbe: { exec: { command: [sh, -c, "true"] } }').length, 0)
  t.equal(probed('image: x, command: [sh], readinessProbe: { exec: { command: [redis-cli] } }').length, 0)
  t.end()
})
