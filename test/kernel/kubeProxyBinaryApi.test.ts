import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { clusterObjects } from '../../src/apiserver/clusterObjects.js'
import type { Service } from '../../src/cluster/types.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { inLab } from './inLab.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'
import { vethlab } from './servedCommands.js'
import { until } from '../until.js'

const noKubectl = spawnSync('kubectl', ['version', '--client']).error !== undefined
const skipKubectl = cannotRun || (noKubectl && 'no kubectl on this machine')

t.test('a lab that is up has an API, from inside only', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.equal((await vethlab(['up', path])).code, 0)
  t.teardown(() => vethlab(['down', lab]))
  const { stdout } = await vethlab(['kubeconfig', lab])
  const config = parse(stdout) as { clusters: { cluster: { server: string } }[]; 'current-context': string }
  const [cluster] = config.clusters
  t.equal(cluster?.cluster.server, 'https://172.18.0.1:6444')
  t.equal(config['current-context'], lab)
  for (const place of ['node-a', 'client', 'app=my-app@node-b']) {
    const asked = await inLab(lab, place, ['curl', '-s', 'http://172.18.0.1:6443/version'])
    t.match(asked.stdout, '"gitVersion":', `${place} reaches it`)
  }
  const written = ['curl', '-s', '-X', 'DELETE', 'http://172.18.0.1:6443/api/v1/nodes/node-a']
  t.match((await inLab(lab, 'node-a', written)).stdout, '"code":403', 'a write needs the token')
  const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
  t.notMatch(listening, /:192[BC] \S+ 0A /, 'the machine itself listens on neither port')

  t.equal((await vethlab(['kubeconfig', 'no-such-lab'])).code, 2)
})

t.test('kubectl in a lab that is up needs no option', { skip: skipKubectl }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.equal((await vethlab(['up', path])).code, 0)
  t.teardown(() => vethlab(['down', lab]))
  const home = process.env['HOME'] ?? '/root'
  const cached = existsSync(join(home, '.kube/cache/discovery/172.18.0.1_6444'))
  const kubectl = (...words: string[]) => inLab(lab, 'node-a', ['kubectl', ...words])

  const wide = await kubectl('get', 'svc,pods,nodes,endpointslices', '-A', '-o', 'wide')
  t.equal(wide.stderr, '')
  t.match(
    wide.stdout,
    /^default +service\/my-nodeport-service +NodePort +10\.96\.1\.1 +<none> +80:30080\/TCP/m,
  )
  t.match(wide.stdout, /^ +node\/node-b +Ready +<none> +\d+s +v\S+ +172\.18\.0\.3/m)
  t.match(wide.stdout, /^default +pod\/my-app-\S+ +1\/1 +Running +0 +\d+s +10\.244\.1\.2 +node-a/m)
  t.match(wide.stdout, /endpointslice\S+ +IPv4 +80 +10\.244\.1\.2,10\.244\.2\.2/)

  const yaml = await kubectl('get', 'svc,pods,nodes,endpointslices', '-A', '-o', 'yaml')
  const { items } = parse(yaml.stdout) as { items: { kind: string; metadata: { name: string } }[] }
  t.strictSame([...new Set(items.map(({ kind }) => kind))], ['Service', 'Pod', 'Node', 'EndpointSlice'])
  t.equal(existsSync(join(home, '.kube/cache/discovery/172.18.0.1_6444')), cached, 'nothing is left at home')

  const shell = await start(['shell', lab, 'node-b'], { input: 'kubectl get nodes -o name\n' }).ended
  t.match(shell.stdout, 'node/node-a\nnode/node-b\n')
})

t.test('what changes in the API, a kube-proxy follows', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  for (const like of ['1.36', '1.30'] as const) {
    const kubeProxyBinary = make(['--like', like])
    const prepared = prepareLab(copyOfLab(t, 'nodeport'), { kubeProxyBinary })
    await withRunningLab(prepared, { capture: false }, async (started) => {
      const saved = async () => (await started.sandbox.run(['iptables-save'], { netns: 'node-b' })).stdout
      const [service] = prepared.cluster.services
      if (service === undefined) throw new Error('the lab has a Service')
      t.notMatch(await saved(), '10.96.77.7')
      const more: Service = {
        ...service,
        metadata: { name: 'more', namespace: 'default' },
        spec: { ...service.spec, type: 'ClusterIP', clusterIP: '10.96.77.7', clusterIPs: ['10.96.77.7'] },
      }
      const cluster = { ...prepared.cluster, services: [service, more] }
      started.api?.replace(clusterObjects(cluster, { kernel: '', since: new Date() }), 1)
      await until(async () => (await saved()).includes('10.96.77.7'))
      t.match(
        await saved(),
        /-d 10\.96\.77\.7\/32 .*has no endpoints/,
        `${like}: the new Service is in the rules`,
      )
    })
  }
})

t.test('both families, the primary one IPv6', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  const step = { name: 'Through node-a', curl: 'http://{node-a}:30080/', expect: { status: 200 } }
  const topology = { families: ['IPv6', 'IPv4'] }
  writeFileSync(join(lab, 'lab.yaml'), JSON.stringify({ topology, steps: [step] }))
  const { code, stdout } = await vethlab(['run', lab, '--kube-proxy', make(['--like', '1.36'])])
  t.equal(code, 0, stdout)
  t.match(stdout, '[fd00:18::2]:30080')
})
