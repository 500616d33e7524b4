import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tracedLab } from '../../../src/lab/trace/tracedLab.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { buildRuleset } from '../../../src/proxy/iptables/ruleset.js'
import { toSaved } from '../../../src/proxy/iptables/saved.js'
import type { TraceState } from '../../../src/trace/model/state.js'
import { predict, predictor } from '../../../src/trace/predict.js'
import { firstPacket } from '../../../src/trace/request.js'
import { loadRestore } from '../../../src/trace/rules/loadRestore.js'
import { renderSave } from '../../../test/netfilter/renderSave.js'
import type { Figure, Row } from '../row.js'
import { manyServices } from '../services.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import { root } from '../workspace.js'

const services = 1000
const nodes = ['node-a', 'node-b']
const clients = ['client-1', 'client-2', 'client-3', 'client-4']
/** Of two pods each. */
const deployments = 5

/** Rules of large nodes from text, and predictions with them. */
export const predictions: Row = {
  name: 'predict',
  async measure({ cli, folder }) {
    const command = [
      process.execPath,
      cli,
      'trace',
      'nodeport',
      'client',
      'http://{node-a}:30080/',
      '--predict',
    ]
    const [shell = []] = await inTurns(9, () => timed(command, root))
    return [
      ...(await savedRules(2500, 300)),
      ...(await savedRules(9200, 1000)),
      await everySource(writeLab(folder('many-services'))),
      { what: 'vethlab trace nodeport --predict', unit: 'ms', measured: shell, bound: { most: 300 } },
    ]
  },
}

/** A save of a node with so many Services of three endpoints: from text, then one packet to the last Service. */
async function savedRules(count: number, most: number): Promise<Figure[]> {
  const text = renderSave(toSaved(buildRuleset(manyServices(count, 3), 'IPv4')))
  const lines = text.split('\n').filter((line) => line.startsWith('-A')).length
  const size = `${Math.round(lines / 1000)},000 saved rules (${(text.length / 1e6).toFixed(0)} MB)`
  const lab = tracedLab(prepareLab('clusterip', { cwd: root }))
  const last = 0x0a_60_00_00 + count - 1
  const address = [24, 16, 8, 0].map((shift) => (last >>> shift) & 255).join('.')
  let tables = loadRestore(text)
  const [parsed = [], predicted = []] = await inTurns(
    5,
    () => elapsed(() => (tables = loadRestore(text))),
    () =>
      elapsed(() => {
        const state = {
          ...lab,
          rules: new Map([...lab.rules.keys()].map((node) => [node, { IPv4: tables }])),
        }
        const { paths } = predict(
          state,
          'caller',
          firstPacket(state, { from: 'caller', protocol: 'tcp', address, port: 80 }),
        )
        if (paths.length !== 3) throw new Error(`${paths.length} paths to 3 endpoints`)
      }),
  )
  return [
    { what: `${size}: from text`, unit: 'ms', measured: parsed, bound: { most } },
    { what: `${size}: one packet`, unit: 'ms', measured: predicted, bound: { most: 20 } },
  ]
}

/** Every port of every Service, from every node, client and pod. */
async function everySource(lab: string): Promise<Figure> {
  const prepared = prepareLab(lab)
  const state = tracedLab(prepared)
  const sources = [...prepared.topology.nodes, ...prepared.topology.clients, ...prepared.topology.pods]
  const run = () => {
    const predictOne = predictor(state)
    let paths = 0
    for (const { netns: from } of sources)
      for (const { spec } of prepared.cluster.services)
        for (const { port } of spec.ports ?? [])
          paths += predictOne(from, toService(state, from, spec.clusterIP ?? '', port)).paths.length
    if (paths < sources.length * services) throw new Error(`only ${paths} paths`)
  }
  const [measured = []] = await inTurns(3, () => elapsed(run))
  const what = `${sources.length} sources, every port of ${prepared.cluster.services.length} Services`
  return { what, unit: 'ms', measured, bound: { most: 5000 } }
}

function toService(state: TraceState, from: string, address: string, port: number) {
  return firstPacket(state, { from, protocol: 'tcp', address, port })
}

function elapsed(work: () => unknown): Promise<number> {
  const start = performance.now()
  work()
  return Promise.resolve(performance.now() - start)
}

function writeLab(folder: string): string {
  const apps = Array.from({ length: deployments }, (_, index) => `app-${index}`)
  const ofApps = apps.map((app) => ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: app } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 8080 }] }] },
      },
    },
  }))
  const ofServices = Array.from({ length: services }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: `service-${index}` } },
    spec: { selector: { app: apps[index % deployments] }, ports: [{ port: 80, targetPort: 8080 }] },
  }))
  const objects = [...ofApps, ...ofServices]
  const lab = { topology: { nodes, clients }, manifests: ['objects.yaml'] }
  writeFileSync(join(folder, 'lab.yaml'), JSON.stringify(lab))
  writeFileSync(join(folder, 'objects.yaml'), objects.map((one) => JSON.stringify(one)).join('\n---\n'))
  return folder
}
