import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { $ } from 'zx'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import type { Figure, Row } from '../row.js'
import { timed } from '../timed.js'
import { inTurns, type Side } from '../turns.js'
import type { Workspace } from '../workspace.js'

const worker = new URL('../workers/callServer.ts', import.meta.url)
const compared = ['iptables', 'nftables', 'userspace'] as const
const [oneByOne, sideBySide, atATime] = [300, 1000, 16]

/** A pod calls a Service whose pod is on the other node, in each mode, compared with direct calls of that pod. */
export const modes: Row = {
  name: 'modes',
  async measure(workspace) {
    const script = await workspace.bundle(worker)
    const labs = compared.map((mode) => ({ mode, folder: writeLab(workspace.folder(`modes-${mode}`)) }))
    const { service, pod } = addressesIn(labs[0]?.folder ?? '')
    try {
      for (const { mode, folder } of labs) await vethlab(workspace, 'up', folder, '--mode', mode)
      const calls =
        (folder: string, host: string, port: number, requests: number, many: number) => async () => {
          // a lab cannot read every folder of the host: the script comes through standard input
          const client = [process.execPath, '--input-type=module', '-', host, port, requests, many]
          const args = [workspace.cli, 'exec', basename(folder), 'caller', '--', ...client]
          return Number(
            (await $({ quiet: true, input: readFileSync(script) })`${process.execPath} ${args}`).stdout,
          )
        }
      const sides = (requests: number, many: number): Side[] => [
        calls(labs[0]?.folder ?? '', pod, 8080, requests, many),
        ...labs.map(({ folder }) => calls(folder, service, 80, requests, many)),
      ]
      const [direct = [], ...serial] = await inTurns(7, ...sides(oneByOne, 1))
      const [flood = [], ...parallel] = await inTurns(7, ...sides(sideBySide, atATime))
      return compared.flatMap((mode, index): Figure[] => {
        const [alone = [], together = []] = [serial[index], parallel[index]]
        return [
          {
            what: `a request through a Service, mode ${mode}`,
            unit: 'µs',
            measured: alone.map(eachOf(oneByOne)),
            floor: direct.map(eachOf(oneByOne)),
          },
          {
            what: `… ${atATime} at a time, mode ${mode}`,
            unit: 'requests/s',
            measured: together.map(rateOf),
            floor: flood.map(rateOf),
          },
        ]
      })
    } finally {
      for (const { folder } of labs) await vethlab(workspace, 'down', basename(folder)).catch(() => undefined)
    }
  },
}

function vethlab({ cli }: Workspace, ...args: readonly string[]): Promise<number> {
  return timed([process.execPath, cli, ...args])
}

function eachOf(requests: number): (milliseconds: number) => number {
  return (milliseconds) => (1000 * milliseconds) / requests
}

function rateOf(milliseconds: number): number {
  return (1000 * sideBySide) / milliseconds
}

function addressesIn(folder: string): { readonly service: string; readonly pod: string } {
  const { cluster } = prepareLab(folder)
  const service = cluster.services.find(({ metadata }) => metadata.name === 'web')?.spec.clusterIP
  const pod = cluster.pods.find(({ metadata }) => metadata.name === 'web')?.status?.podIP
  if (service === undefined || pod === undefined) throw new Error('the lab has no Service or no pod "web"')
  return { service, pod }
}

function writeLab(folder: string): string {
  mkdirSync(join(folder, 'manifests'), { recursive: true })
  writeFileSync(
    join(folder, 'lab.yaml'),
    'title: A Service in some mode\nmanifests: [manifests]\nsteps: []\n',
  )
  writeFileSync(join(folder, 'manifests/web.yaml'), manifests)
  return folder
}

const pod = (name: string, node: string, port: number) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  nodeSelector: { kubernetes.io/hostname: ${node} }
  containers: [{ name: ${name}, image: nginx, ports: [{ containerPort: ${port} }] }]
---
`
const manifests = `${pod('web', 'node-b', 8080)}${pod('caller', 'node-a', 80)}apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
  ports: [{ port: 80, targetPort: 8080 }]
`
