import { count } from '../../text/count.js'
import { labFailed, tally } from '../../results/verdict.js'
import { hashOf, orderedLabs, report } from './navigation.js'
import { Status } from './Status.js'

/** Every lab of the report with its result, failed ones first. */
export function Overview() {
  return (
    <main class="overview">
      <h1>Results of {count(report.value.labs.length, 'lab')}</h1>
      <table>
        <thead>
          <tr>
            <th>Lab</th>
            <th>Mode</th>
            <th class="number">Checks</th>
            <th class="number">Seconds</th>
            <th>Failed</th>
          </tr>
        </thead>
        <tbody>
          {orderedLabs().map((index) => (
            <Row key={index} index={index} />
          ))}
        </tbody>
      </table>
    </main>
  )
}

function Row({ index }: { readonly index: number }) {
  const one = report.value.labs[index]?.report
  if (one === undefined) return null
  const { passed, failed } = tally(one.steps)
  const firstFailed = one.steps.flatMap(({ name, checks }) =>
    checks.filter(({ ok }) => !ok).map((check) => `${name}: ${check.name}`),
  )[0]
  const reason = one.skipped ?? one.error ?? firstFailed ?? ''
  return (
    <tr>
      <td>
        <Status state={one.skipped !== undefined ? 'skipped' : labFailed(one) ? 'failed' : 'passed'} />
        <a href={hashOf({ lab: index, step: 0, flow: 0 }).replace(/\/1\/1$/, '')}>{one.lab}</a>
        <span class="mute title"> {one.title}</span>
      </td>
      <td class="mute">{one.mode ?? '–'}</td>
      <td class="number">{failed > 0 ? `${passed} of ${passed + failed}` : passed || '–'}</td>
      <td class="number mute">{(one.durationMs / 1000).toFixed(1)}</td>
      <td class={one.skipped === undefined ? 'bad' : 'mute'}>{reason.split('\n')[0]}</td>
    </tr>
  )
}
