import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { question } from '../../src/diagnose/question.js'
import { readPlaces, readState } from '../../src/host/readings.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { placesOfPath, readForRequest } from '../../src/lab/trace/readForRequest.js'
import { explainedPath } from '../../src/trace/observed/explain.js'
import { traceIn } from '../../src/lab/trace/traceIn.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import { partlyRead } from '../../src/snapshot/fromPlan/partlyRead.js'
import { plannedState, snapshotOf } from '../../src/snapshot/fromPlan/plannedState.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { predict } from '../../src/trace/predict.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'

const pods = 36

t.test('a request in a lab of many pods reads and traces its paths', { skip: cannotRun }, async (t) => {
  const folder = copyOfLab(t, 'nodeport')
  const file = join(folder, 'manifests/app.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/replicas: \d+/, `replicas: ${pods}`))
  const yaml = join(folder, 'lab.yaml')
  // its checks are about two pods
  writeFileSync(yaml, readFileSync(yaml, 'utf8').replace(/^steps:[^]*/m, ''))
  await withRunningLab(prepareLab(folder), { capture: false }, async ({ sandbox, prepared, live }) => {
    const model = { ...prepared, ...live.state() }
    const asked = question(snapshotOf(model), {
      ...{ from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' },
      ...{ host: undefined, sourcePort: undefined },
    })
    const change = (state: TraceState) => state
    const all = [...model.topology.nodes, ...model.topology.clients, ...model.topology.pods]
    const counts: number[] = []
    const reading = () => readForRequest(sandbox, asked, { change, onRead: (count) => counts.push(count) })

    await t.test('nodes, clients and the first pod are read, and progress is reported', async (t) => {
      const { read, question: now } = await reading()
      const [first] = predict(now.snapshot.state, now.from, now.packet).paths
      t.equal(first?.end.kind, 'answered')
      t.strictSame(first && [...placesOfPath(first)].filter((place) => !read.has(place)), [])
      t.ok(read.size < 10, `${read.size} of ${all.length + 1} are read`)
      t.equal(counts.at(-1), read.size)
    })

    await t.test('a state with all places read is what the whole lab has', async (t) => {
      const places = await readPlaces(sandbox, [undefined, ...all.map(({ netns }) => netns)])
      const whole = await readState(sandbox, model)
      const parts = partlyRead(plannedState(model), places)
      t.strictSame(parts.network.links, whole.network.links)
      t.strictSame(parts.listeners, whole.listeners)
      const paths = (state: TraceState) => predict(state, asked.from, asked.packet).paths
      t.strictSame(paths(parts), paths(whole))
    })

    await t.test('what the kernel does is compared where it was traced, and the rest is named', async (t) => {
      const seen = await traceIn(sandbox, {
        question: asked,
        packets: 'first',
        change,
        onRead: () => undefined,
      })
      t.match(seen.comparison.differences, { length: 0 })
      const path = seen.prediction.paths[seen.comparison.path]
      const pod = seen.result.echo?.pod ?? ''
      t.match(path?.receiver, { name: `pod default/${pod}` })
      const shown = path && explainedPath(path, seen.comparison)
      t.notMatch(
        JSON.stringify(shown?.hops.map(({ before, after }) => [before, after])),
        '65535',
        'no range is left',
      )
      t.match(seen.coverage, { of: all.length + 1, unread: [] })
      t.ok(seen.coverage?.untraced.every((place) => model.topology.pods.some(({ netns }) => netns === place)))
      t.ok((seen.coverage?.read ?? 0) < 10)
    })

    await t.test('what a node has lost is seen, and what the plan says of it is not', async (t) => {
      const flush = ['iptables', '-t', 'nat', '-F', 'KUBE-NODEPORTS']
      await sandbox.must('removing rules', flush, { netns: 'node-a' })
      const { question: now } = await reading()
      const [first] = predict(now.snapshot.state, now.from, now.packet).paths
      t.equal(first?.end.kind, 'refused')
    })

    await t.test(
      'a link that is down on one side is down, whether the other side was read or not',
      async (t) => {
        const [pod] = model.topology.pods
        if (pod === undefined) throw new Error('no pod')
        await sandbox.must('setting a link down', ['ip', 'link', 'set', pod.veth, 'down'], {
          netns: pod.node,
        })
        const places = await readPlaces(sandbox, [undefined, 'client', 'node-a', 'node-b'])
        const { links } = partlyRead(plannedState(model), places).network
        const isOfPod = (netns: string | undefined) => netns === pod.netns
        const link = links.find(
          ({ type, netns }) => isOfPod(netns) || (type.kind === 'veth' && isOfPod(type.peer.netns)),
        )
        t.ok(link, 'the link to a pod that was not read')
        t.equal([link?.down, link?.type.kind === 'veth' && link.type.peer.down].includes(true), true)
      },
    )
  })
})
