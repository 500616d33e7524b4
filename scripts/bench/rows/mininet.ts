import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { $ } from 'zx'
import { bringUp } from '../bringUp.js'
import { writeLab } from '../generatedLab.js'
import { inOwnNamespaces } from '../namespaces.js'
import type { Row } from '../row.js'
import { settled } from '../settled.js'
import { inTurns } from '../turns.js'

const peer = fileURLToPath(new URL('../mininetPeer.py', import.meta.url))
const sizes = { nodes: 10, pods: 100 }
/** Debian installs mininet for this one. */
const python = '/usr/bin/python3'

/** A network of as many hosts in mininet, which has neither namespaces of nodes nor routes between them. */
export const mininet: Row = {
  name: 'mininet',
  skip() {
    if (process.getuid?.() !== 0) return 'mininet needs root'
    const { status } = spawnSync(python, ['-c', 'import mininet.net'], { stdio: 'ignore' })
    return status === 0 ? undefined : 'mininet is not installed (Debian: mininet, bridge-utils)'
  },
  async measure(workspace) {
    const lab = writeLab(workspace.folder('pods-mininet'), sizes)
    const script = [python, peer, String(sizes.nodes), String(sizes.pods)]
    const [measured = [], floor = []] = await inTurns(
      3,
      async () => {
        await settled()
        return (await bringUp(workspace, lab)).upMs
      },
      async () => {
        await settled()
        const { stdout } = await $({ quiet: true })`${inOwnNamespaces(script)}`
        return Number(stdout)
      },
    )
    const { stdout } = await $({
      quiet: true,
    })`${python} -c ${'from mininet.net import VERSION; print(VERSION)'}`
    return [{ what: `100 pods, 10 nodes: up, against mininet ${stdout.trim()}`, unit: 'ms', measured, floor }]
  },
}
