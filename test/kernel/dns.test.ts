import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applies } from '../cluster/lab.js'
import t, { type Test } from 'tap'
import { isReady } from '../../src/cluster/pods/podFacts.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { runLab } from '../../src/lab/steps/runLab.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

const lab = 'labs/headless-and-externalname'

/** The lab with its DNS server; `ask` is dig in its toolbox. */
async function withDns(t: Test) {
  const started = await startLab(t, prepareLab('headless-and-externalname'), { capture: false })
  const { live, prepared } = started
  const toolbox = prepared.topology.places.find(({ name }) => name === 'toolbox')
  if (toolbox === undefined) throw new Error('the lab has no toolbox')
  const ask = async (...question: string[]) =>
    (await started.exec(toolbox, ['dig', '+tries=1', '+time=30', '+short', ...question])).stdout.trim()
  return { started, live, ask }
}

// as it is, with IPv4, it runs with the other labs
for (const families of ['IPv6', 'IPv4, IPv6'])
  t.test(`names in a cluster of ${families}`, { skip: cannotRun }, async (t) => {
    const cwd = t.testdir({ lab: {} })
    cpSync(lab, join(cwd, 'lab'), { recursive: true })
    const file = join(cwd, 'lab/lab.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('topology:\n', `topology:\n  families: [${families}]\n`))
    const { steps } = await runLab('lab', { cwd })
    t.ok(steps.length > 10)
    t.same(
      steps.flatMap(({ name, checks }) => checks.filter(({ ok }) => !ok).map((check) => ({ name, check }))),
      [],
    )
  })

t.test('the answer after a change is that of the changed cluster', { skip: cannotRun }, async (t) => {
  const { live, ask } = await withDns(t)
  t.not(await ask('front.default.svc.cluster.local', 'ANY'), '')
  await live.write([
    {
      verb: 'delete',
      ref: { kind: 'Service', namespace: 'default', name: 'front' },
    },
  ])
  t.equal(await ask('front.default.svc.cluster.local', 'ANY'), '')
})

t.test(
  'a DNS server that takes the place of another answers once it is ready',
  { skip: cannotRun },
  async (t) => {
    const { live, ask } = await withDns(t)
    const servers = () =>
      live.state().cluster.pods.filter(({ metadata }) => metadata.labels?.['k8s-app'] === 'kube-dns')
    const [before] = servers()
    await live.write([
      {
        verb: 'delete',
        ref: { kind: 'Pod', namespace: 'kube-system', name: before?.metadata.name ?? '' },
      },
    ])
    t.same(await live.settled(60_000), [])
    t.equal(servers().length, 1)
    t.not(servers()[0]?.metadata.name, before?.metadata.name)
    t.match(await ask('front.default.svc.cluster.local'), /^10\.96\./)
  },
)

t.test(
  'a DNS server that was killed is started again, and is ready again',
  { skip: cannotRun },
  async (t) => {
    const { started, live, ask } = await withDns(t)
    const server = started.prepared.topology.places.find(({ namespace }) => namespace === 'kube-system')
    if (server === undefined) throw new Error('the lab has no DNS server')
    const restarted = new Promise<void>((resolve) => {
      let wasNotReady = false
      live.onState(({ cluster }) => {
        const ready = cluster.pods.some((pod) => pod.metadata.name === server.name && isReady(pod))
        wasNotReady ||= !ready
        if (wasNotReady && ready) resolve()
      })
    })
    const script =
      'for pid in $(ip netns pids "$1"); do case $(cat /proc/$pid/comm) in named | coredns) kill -9 $pid; esac; done'
    await started.sandbox.must('killing the DNS server', ['sh', '-c', script, 'sh', server.netns])
    await restarted
    t.same(await live.settled(60_000), [])
    t.match(await ask('front.default.svc.cluster.local'), /^10\.96\./)
  },
)

t.test(
  'an endpoint outside of the ranges has a name, and its neighbours do not',
  { skip: cannotRun },
  async (t) => {
    const { live, ask } = await withDns(t)
    await live.write(applies(legacy))
    t.equal(await ask('legacy.default.svc.cluster.local', 'AAAA'), '2001:db8:1::')
    t.equal(await ask('-x', '2001:db8:1::'), '2001-db8-1--.legacy.default.svc.cluster.local.')
    t.equal(await ask('-x', '2001:db8:1::1'), '')
    await live.write([
      {
        verb: 'delete',
        ref: { kind: 'Service', namespace: 'default', name: 'legacy' },
      },
    ])
    t.equal(await ask('-x', '2001:db8:1::'), '', 'its zone went with it')
  },
)

const legacy = `
apiVersion: v1
kind: Service
metadata: { name: legacy }
spec: { clusterIP: None, ipFamilies: [IPv4], ports: [{ port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: legacy-1, labels: { kubernetes.io/service-name: legacy } }
addressType: IPv6
ports: [{ port: 80 }]
endpoints: [{ addresses: ['2001:db8:1::'] }]
`
