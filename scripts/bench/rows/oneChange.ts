import { $ } from 'zx'
import { median, type Row } from '../row.js'
import { inTurns } from '../turns.js'
import type { ChangedEndpoint } from '../workers/changeEndpoint.js'

const worker = new URL('../workers/changeEndpoint.ts', import.meta.url)
const endpoints = 20

/** One endpoint changes in a large cluster: what each node's kube-proxy does in memory, against a tenth of the Services. */
export const oneChange: Row = {
  name: 'one-change',
  async measure(workspace) {
    const script = await workspace.bundle(worker)
    const peaks: number[] = []
    const change = (services: number) => async () => {
      const { stdout } = await $({ quiet: true })`${process.execPath} ${script} ${services} ${endpoints}`
      const { changesMs, peakMB } = JSON.parse(stdout) as ChangedEndpoint
      peaks.push(peakMB)
      return median(changesMs)
    }
    const [measured = [], floor = []] = await inTurns(2, change(10_000), change(1000))
    const of = `10,000 Services × ${endpoints} endpoints`
    return [
      {
        what: `${of}: one endpoint changes, per node (processor time), against 1,000 × ${endpoints}`,
        unit: 'ms',
        measured,
        floor,
        bound: { ratio: 10 },
      },
      { what: `${of}: memory of the rules of a node`, unit: 'MB', measured: [Math.max(...peaks)] },
    ]
  },
}
