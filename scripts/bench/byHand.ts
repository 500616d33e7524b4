import { networkOf } from '../../src/topology/networkOf.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Topology } from '../../src/topology/types.js'
import { planAddresses, planLinks, planNamespaces } from '../../src/topology/planLinks.js'
import type { PlannedCommand } from '../../src/topology/types.js'
import { inOwnNamespaces } from './namespaces.js'

/** The folder of the files of a plan inside a sandbox. */
const planFolder = '/run/vethlab/ip'

/** Writes the input of `ip` and the script that runs it, both as `vethlab plan` prints them; returns the script. */
export function writeByHand(topology: Topology, folder: string): string {
  const stages = [
    planNamespaces(topology),
    planLinks(networkOf(topology)),
    planAddresses(networkOf(topology)),
  ]
  for (const { path, text } of stages.flatMap(({ files }) => files)) {
    const file = join(folder, relative(planFolder, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const script = join(folder, 'by-hand.sh')
  writeFileSync(script, scriptOf(stages.flatMap(({ commands }) => commands)))
  return script
}

/** The fastest form of these commands: eight at once if they are independent, without a shell for each. */
function scriptOf(commands: readonly PlannedCommand[]): string {
  const lines = commands.map(({ argv, each }) => {
    const command = argv.join(' ').replaceAll(planFolder, '.')
    return each === undefined ? command : `xargs -P 8 -I {} ${command} <<'END'\n${each.join('\n')}\nEND`
  })
  return [
    'set -e',
    'cd "$(dirname "$0")"',
    'mount -t tmpfs tmpfs /run',
    'mkdir /run/netns',
    ...lines,
    'echo up',
    'read -r end || true',
    '',
  ].join('\n')
}

/** Runs the script in new namespaces. Returns milliseconds from its start until everything is running. */
export async function bringUpByHand(script: string): Promise<number> {
  const [file = '', ...rest] = inOwnNamespaces(['sh', script])
  const start = performance.now()
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const said = await Promise.race([once(child.stdout, 'data').then(String), exit])
  const milliseconds = performance.now() - start
  child.stdin.end()
  const [code] = (await exit) as [number | null]
  if (said !== 'up\n' || code !== 0) throw new Error(`${script} exited with ${code ?? 'a signal'}`)
  return milliseconds
}
