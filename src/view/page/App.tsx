import { count } from '../../text/count.js'
import { stepFailed, labFailed, tally } from '../../results/verdict.js'
import type { ReportedLab } from '../report/document.js'
import { savePackets } from './data.js'
import { LabPanes } from './LabPanes.js'
import { hashOf, lab, report, shown, unknownAddress } from './navigation.js'
import { Overview } from './Overview.js'
import { PrintedLab } from './PrintedLab.js'
import { printing } from './printing.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** The whole page. */
export function App() {
  const current = lab.value
  const unknown = unknownAddress.value
  const index = shown.value.lab
  if (printing.value)
    return (
      <main class="printed">
        {(current === undefined ? report.value.labs : [current]).map((one, at) => (
          <PrintedLab key={at} lab={one} />
        ))}
      </main>
    )
  return (
    <>
      <header class="bar">
        <a class="brand" href="#">
          vethlab
        </a>
        {current === undefined ? <Summary /> : <LabTitle lab={current} />}
        <span class="grow" />
        {current?.captureBytes === undefined || index === undefined ? null : (
          <button
            type="button"
            class="plain"
            title={`${Math.ceil(current.captureBytes / 1024)} KiB, for Wireshark and tshark`}
            onClick={() => void savePackets(index, current.report.lab)}
          >
            {say.value.savePackets}
          </button>
        )}
        {report.value.labs.length > 1 && index !== undefined ? (
          <a class="plain" href={hashOf({ lab: undefined, step: 0, flow: 0 }) || '#'}>
            All labs
          </a>
        ) : null}
      </header>
      {unknown === undefined ? null : (
        <p class="bad unknown" role="alert">
          {say.value.notInReport(say.value.addressParts[unknown.what], unknown.name)}
        </p>
      )}
      {current === undefined ? <Overview /> : <LabPanes key={index} lab={current} />}
    </>
  )
}

function Summary() {
  const { labs } = report.value
  const run = labs.filter((one) => one.report.skipped === undefined)
  const failed = run.filter((one) => labFailed(one.report)).length
  const { machine } = run[0]?.report ?? {}
  return (
    <span class="facts">
      <b class={failed > 0 ? 'bad' : 'good'}>
        {failed > 0 ? `${failed} of ${run.length} labs failed` : `${run.length} labs passed`}
      </b>
      {run.length < labs.length ? <span> · {labs.length - run.length} skipped</span> : null}
      {machine === undefined ? null : (
        <span class="mute">
          {' '}
          · Linux {machine.kernel} · iptables {machine.iptables} ({machine.backend})
        </span>
      )}
    </span>
  )
}

function LabTitle({ lab: { report: one, verdict } }: { readonly lab: ReportedLab }) {
  const { passed, failed } = tally(one.steps)
  const parts = [
    labFailed(one) ? [`${one.steps.filter(stepFailed).length || 1} failed`] : [],
    passed > 0 ? [`${count(passed, 'check')} passed`] : [],
  ].flat()
  const state = verdict ?? (one.skipped !== undefined ? 'skipped' : parts.join(', ') || 'no checks')
  const isPlain = verdict === undefined && (one.skipped !== undefined || parts.length === 0)
  return (
    <span class="facts">
      <b>{one.lab}</b>
      {one.mode === undefined ? null : <span class="mute"> · {one.mode}</span>}
      <span class={isPlain ? 'mute' : failed > 0 || labFailed(one) ? 'bad' : 'good'}>
        {' '}
        · {sentence.value(state)}
      </span>
    </span>
  )
}
