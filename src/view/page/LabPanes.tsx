import type { ReportedLab } from '../report/document.js'
import { flow } from './exchange.js'
import { FlowGraph } from './FlowGraph.js'
import { Moment } from './Moment.js'
import { shown } from './navigation.js'
import { NetfilterMap } from './NetfilterMap.js'
import { Steps } from './Steps.js'
import { Timeline } from './Timeline.js'
import { Topology } from './Topology.js'
import { VerdictLine } from './VerdictLine.js'
import { usePlaying } from './usePlaying.js'

/** A lab: its steps, the topology with the path of a packet, what the packet meets, and a time line. */
export function LabPanes({ lab }: { readonly lab: ReportedLab }) {
  usePlaying()
  const { topology = 0, downLinks } = lab.steps[shown.value.step] ?? {}
  const view = lab.topologies[topology] ?? lab.report.topology
  return (
    <div class={`lab ${flow.value === undefined ? 'without-path' : ''}`}>
      <Steps lab={lab} />
      <main class="centre">
        {flow.value === undefined ? null : (
          <>
            <VerdictLine view={view} />
            <FlowGraph />
          </>
        )}
        <Topology view={view} places={lab.places} downLinks={downLinks} />
        {flow.value === undefined ? null : <NetfilterMap />}
      </main>
      {flow.value === undefined ? null : (
        <>
          <Moment />
          <Timeline />
        </>
      )}
    </div>
  )
}
