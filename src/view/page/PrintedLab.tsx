import type { Flow, Hop } from '../../packets/types.js'
import { labFailed, stepFailed } from '../../results/verdict.js'
import { flowGraphOf } from '../path/flowGraph.js'
import { framesOfExchange, type Frame } from '../path/frames.js'
import type { TopologyView } from '../../results/events.js'
import type { FlowPath, ReportedLab, ReportedStep } from '../report/document.js'
import { FlowPicture } from './FlowGraph.js'
import { shownSocket } from './shownSocket.js'
import { Status } from './Status.js'
import { Notices, WhyOf } from './Steps.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'
import { Topology } from './Topology.js'
import { Verdict } from './VerdictLine.js'

/** A lab as a document for paper: its topology, and every step with its checks and the addresses of its packets. */
export function PrintedLab({ lab }: { readonly lab: ReportedLab }) {
  const { report, verdict, steps, topologies, places } = lab
  const viewOf = (step: ReportedStep | undefined) => topologies[step?.topology ?? 0] ?? report.topology
  return (
    <article>
      <h1>
        {report.lab}: {report.title}
      </h1>
      <p>
        {report.skipped !== undefined
          ? `skipped: ${report.skipped}`
          : sentence.value(verdict ?? (labFailed(report) ? 'failed' : 'passed'))}
        {report.error === undefined ? '' : `: ${report.error}`}
      </p>
      <Topology {...{ view: report.topology, places, downLinks: steps[0]?.downLinks, path: onlyPath(lab) }} />
      <Notices of={report.notices} open />
      {report.steps.map((step, index) => (
        <section key={index}>
          <h2>
            <Status state={step.skipped !== undefined ? 'skipped' : stepFailed(step) ? 'failed' : 'passed'} />
            {sentence.value(step.name)}
          </h2>
          {step.action === '' ? null : (
            <p>
              <code>
                {step.from === undefined ? '' : `${step.from} $ `}
                {sentence.value(step.action)}
              </code>
            </p>
          )}
          {step.summary?.map((line) => (
            <p key={line}>{sentence.value(line)}</p>
          ))}
          <ul>
            {step.checks.map((check, at) => (
              <li key={at}>
                <Status state={check.ok ? 'passed' : 'failed'} />
                {sentence.value(check.name)}
                {check.ok
                  ? ''
                  : `: ${say.value.expected} ${sentence.value(check.expected)}; ${say.value.observed} ${sentence.value(check.observed)}`}
              </li>
            ))}
          </ul>
          <WhyOf step={step} why={steps[index]?.why} />
          {step.flows.map((flow, at) => (
            <Printed key={at} {...{ flow, known: steps[index]?.paths[at], view: viewOf(steps[index]) }} />
          ))}
        </section>
      ))}
    </article>
  )
}

/** The moments of a lab with one packet. */
function onlyPath({ report, steps }: ReportedLab): readonly Frame[] {
  const [flow, ...others] = report.steps.flatMap(({ flows }) => flows)
  return flow === undefined || others.length > 0
    ? []
    : framesOfExchange(flow, steps.flatMap(({ paths }) => paths)[0])
}

interface PrintedProps {
  readonly flow: Flow
  readonly known: FlowPath | undefined
  readonly view: TopologyView
}

/** The verdict and the flow graph of a path; where packets were captured if it is not known. */
function Printed({ flow, known, view }: PrintedProps) {
  const all = framesOfExchange(flow, known)
  return (
    <>
      <Verdict {...{ view, flow, known, all }} />
      {known === undefined || 'unknown' in known ? (
        <Hops hops={[...flow.hops, ...flow.replyHops]} />
      ) : (
        <FlowPicture graph={flowGraphOf(all)} known={known} seen={flow} />
      )}
    </>
  )
}

function Hops({ hops }: { readonly hops: readonly Hop[] }) {
  return (
    <table>
      <tbody>
        {hops.map(({ netns, interface: device, direction, source, destination }, index) => (
          <tr key={index}>
            <td>{netns}</td>
            <td>
              {device} {direction}
            </td>
            <td>
              {shownSocket(source)} → {shownSocket(destination)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
