import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { $ } from 'zx'
import type { Row } from '../row.js'
import { manyServices } from '../services.js'
import { settled } from '../settled.js'
import { endpoints, services, syncNode } from '../syncRow.js'
import { timed } from '../timed.js'
import type { Workspace } from '../workspace.js'

const binary = process.env['BENCH_KUBE_PROXY']
const turns = 3

/** The first sync of a node by vethlab, and by a kube-proxy in a lab with as many Services: what it reports of itself. */
export const kubeProxy: Row = {
  name: 'kube-proxy',
  skip() {
    if (process.getuid?.() !== 0) return 'kube-proxy needs root'
    return binary === undefined ? 'BENCH_KUBE_PROXY is not the path of a kube-proxy' : undefined
  },
  async measure(workspace) {
    const program = binary ?? ''
    const lab = writeLab(workspace)
    const measured: number[] = []
    const floor: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      measured.push((await syncNode(workspace, 'iptables')).first.measured.milliseconds)
      floor.push(await syncOfKubeProxy(workspace, lab, program))
    }
    const { stdout } = await $({ quiet: true })`${program} --version`
    const what = `5,000 Services × 2 endpoints: first sync of a node, against ${stdout.trim().replace(/^Kubernetes /, 'kube-proxy ')}`
    return [{ what, unit: 'ms', measured, floor }]
  },
}

function writeLab({ folder }: Workspace): string {
  const lab = folder(`bench-peer-${process.pid}`)
  const { services: objects, endpointSlices } = manyServices(services, endpoints)
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } }
  const items = [namespace, ...objects, ...endpointSlices]
  const manifests = folder(`${basename(lab)}/manifests`)
  writeFileSync(join(manifests, 'many.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  writeFileSync(
    join(lab, 'lab.yaml'),
    'title: Many Services\ntopology: { nodes: [node-a], clients: [] }\nmanifests: [manifests]\n',
  )
  return lab
}

/** Milliseconds that a kube-proxy has spent on syncs when the lab is up. */
async function syncOfKubeProxy({ cli }: Workspace, lab: string, program: string): Promise<number> {
  await settled()
  const name = basename(lab)
  await timed([process.execPath, cli, 'up', lab, '--kube-proxy', program])
  try {
    const ask = ['exec', name, 'node-a', '--', 'curl', '--silent', 'http://127.0.0.1:10249/metrics']
    const { stdout } = await $({ quiet: true })`${process.execPath} ${cli} ${ask}`
    const seconds = /^kubeproxy_sync_proxy_rules_duration_seconds_sum (\S+)$/m.exec(stdout)?.[1]
    if (seconds === undefined) throw new Error('kube-proxy reports no sync')
    return Number(seconds) * 1000
  } finally {
    await timed([process.execPath, cli, 'down', name])
  }
}
