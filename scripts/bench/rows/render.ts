import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Row } from '../row.js'
import { manyServices } from '../services.js'
import { timed } from '../timed.js'
import { inTurns } from '../turns.js'
import type { Workspace } from '../workspace.js'

const worker = new URL('../workers/writeRules.ts', import.meta.url)
const [services, endpoints] = [5000, 2]

/** `vethlab render`, from the manifests of a medium cluster to rules, compared with rules from objects in memory. */
export const renders: Row = {
  name: 'render',
  async measure(workspace) {
    const script = await workspace.bundle(worker)
    const { yaml, json } = writeManifests(workspace)
    const render = (file: string) => () =>
      timed([process.execPath, workspace.cli, 'render', '--filename', file, '--node', 'node-a'])
    const alone = () => timed([process.execPath, script, String(services), String(endpoints)])
    const [fromYaml = [], fromJson = [], floor = []] = await inTurns(5, render(yaml), render(json), alone)
    const of = `vethlab render, ${services.toLocaleString('en')} Services × ${endpoints} endpoints`
    return [
      { what: `${of}, YAML`, unit: 'ms', measured: fromYaml, floor, bound: { most: 800 } },
      { what: `${of}, JSON`, unit: 'ms', measured: fromJson, floor, bound: { most: 800 } },
    ]
  },
}

/** The same objects as documents of YAML, and as a List in JSON as kubectl prints it. */
function writeManifests(workspace: Workspace): { readonly yaml: string; readonly json: string } {
  const input = manyServices(services, endpoints)
  const objects = [input.node, ...input.services, ...input.endpointSlices]
  const folder = workspace.folder('manifests')
  const [yaml, json] = [join(folder, 'many.yaml'), join(folder, 'many.json')]
  writeFileSync(yaml, objects.map((object) => stringify(object)).join('---\n'))
  writeFileSync(json, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 4))
  return { yaml, json }
}
