import { $ } from 'zx'
import type { Figure, Row } from '../row.js'
import { root } from '../workspace.js'
import type { PolicyFigures } from '../workers/policyRules.js'

const worker = new URL('../workers/policyRules.ts', import.meta.url)

/** The rules and sets of NetworkPolicies on two nodes, for both backends: all of them, and after one change. */
export const policies: Row = {
  name: 'policies',
  async measure({ bundle }) {
    const script = await bundle(worker)
    const figures: Figure[] = []
    for (const backend of ['iptables', 'nftables']) {
      const { stdout } = await $({ quiet: true, cwd: root })`${process.execPath} ${script} 1000 ${backend}`
      const { all, onePolicy, onePod } = JSON.parse(stdout) as PolicyFigures
      const what = `1,000 policies × 1,000 pods in ${backend}`
      figures.push(
        { what: `${what}: rules of two nodes`, unit: 'ms', measured: [all], bound: { most: 2000 } },
        { what: `${what}: one policy changes`, unit: 'ms', measured: onePolicy, bound: { most: 100 } },
        { what: `${what}: one pod changes`, unit: 'ms', measured: onePod, bound: { most: 100 } },
      )
    }
    return figures
  },
}
