import { exchange } from '../exchange.js'
import { FlowGraph } from '../FlowGraph.js'
import { VerdictLine } from '../VerdictLine.js'
import { lab, requests, shownRequest } from './state.js'

/** What happened to the request that is shown: in one sentence, and as a flow graph. */
export function RequestFlow() {
  const now = lab.value
  if (now === undefined || exchange.value === undefined) return null
  const result = requests.value.find(({ id }) => id === shownRequest.value)?.result
  const outcome = result === undefined || 'error' in result ? undefined : result.outcome
  return (
    <>
      <VerdictLine view={now.topology} outcome={outcome} />
      <FlowGraph />
    </>
  )
}
