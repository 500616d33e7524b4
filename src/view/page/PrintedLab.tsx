import type { Flow, Hop } from '../../packets/types.js'
import { labFailed, stepFailed } from '../../results/verdict.js'
import { flowGraphOf } from '../path/flowGraph.js'
import { framesOfExchange } from '../path/frames.js'
import type { FlowPath, ReportedLab } from '../report/document.js'
import { FlowPicture } from './FlowGraph.js'
import { shownSocket } from './shownSocket.js'
import { Status } from './Status.js'

/** A lab as a document for paper: every step with its checks and the addresses of its packets. */
export function PrintedLab({ lab: { report, steps } }: { readonly lab: ReportedLab }) {
  return (
    <article>
      <h1>
        {report.lab}: {report.title}
      </h1>
      <p>
        {report.skipped !== undefined
          ? `skipped: ${report.skipped}`
          : labFailed(report)
            ? 'failed'
            : 'passed'}
        {report.error === undefined ? '' : `: ${report.error}`}
      </p>
      {report.steps.map((step, index) => (
        <section key={index}>
          <h2>
            <Status state={step.skipped !== undefined ? 'skipped' : stepFailed(step) ? 'failed' : 'passed'} />
            {step.name}
          </h2>
          {step.action === '' ? null : (
            <p>
              <code>
                {step.from === undefined ? '' : `${step.from} $ `}
                {step.action}
              </code>
            </p>
          )}
          <ul>
            {step.checks.map((check, at) => (
              <li key={at}>
                <Status state={check.ok ? 'passed' : 'failed'} />
                {check.name}
                {check.ok ? '' : `: expected ${check.expected}; observed ${check.observed}`}
              </li>
            ))}
          </ul>
          {step.flows.map((flow, at) => (
            <Printed key={at} flow={flow} known={steps[index]?.paths[at]} />
          ))}
        </section>
      ))}
    </article>
  )
}

/** The flow graph of a path, or where packets were captured if it is not known. */
function Printed({ flow, known }: { readonly flow: Flow; readonly known: FlowPath | undefined }) {
  if (known === undefined || 'unknown' in known) return <Hops hops={[...flow.hops, ...flow.replyHops]} />
  return (
    <FlowPicture graph={flowGraphOf(framesOfExchange(flow, known))} known={known} outcome={flow.outcome} />
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
