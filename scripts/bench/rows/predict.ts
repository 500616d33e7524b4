import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'zx'
import type { Figure, Row } from '../row.js'
import { root } from '../workspace.js'
import type { PredictedLab, PredictedSave } from '../workers/predictPackets.js'

const worker = new URL('../workers/predictPackets.ts', import.meta.url)
const services = 1000
const nodes = ['node-a', 'node-b']
const clients = ['client-1', 'client-2', 'client-3', 'client-4']
/** Of two pods each. */
const deployments = 5

/** Rules of large nodes from text, and predictions with them. */
export const predictions: Row = {
  name: 'predict',
  async measure({ bundle, folder }) {
    const script = await bundle(worker)
    return [
      ...(await savedRules(script, 2500, 300)),
      ...(await savedRules(script, 9200, 1000)),
      await everySource(script, writeLab(folder('many-services'))),
    ]
  },
}

/** A save of a node with so many Services of three endpoints: from text, then one packet to the last Service. */
async function savedRules(script: string, count: number, most: number): Promise<Figure[]> {
  const { stdout } = await $({ quiet: true, cwd: root })`${process.execPath} ${script} save ${count}`
  const { lines, bytes, parsed, predicted } = JSON.parse(stdout) as PredictedSave
  const size = `${Math.round(lines / 1000)},000 saved rules (${(bytes / 1e6).toFixed(0)} MB)`
  return [
    { what: `${size}: from text`, unit: 'ms', measured: parsed, bound: { most } },
    { what: `${size}: one packet`, unit: 'ms', measured: predicted, bound: { most: 20 } },
  ]
}

/** Every port of every Service, from every node, client and pod. */
async function everySource(script: string, lab: string): Promise<Figure> {
  const { stdout } = await $({ quiet: true, cwd: root })`${process.execPath} ${script} lab ${lab}`
  const { sources, measured } = JSON.parse(stdout) as PredictedLab
  const what = `${sources} sources, every port of ${services} Services`
  return { what, unit: 'ms', measured, bound: { most: 10_000 } }
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
