import { Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { whyLines } from '../../results/stepWhy.js'
import { stepFailed } from '../../results/verdict.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import type { Flow } from '../../packets/types.js'
import { probabilityText } from '../../trace/rules/chance.js'
import type { ReportedLab, ShownWhy } from '../report/document.js'
import { hashOf, lab as currentLab, shown } from './navigation.js'
import { Status } from './Status.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'
import { WhyAnswer } from './WhyAnswer.js'

/** The steps of a lab; the one that is shown has its checks and flows. */
export function Steps({ lab: { report } }: { readonly lab: ReportedLab }) {
  return (
    <nav class="steps" aria-label={say.value.steps}>
      <h1>{sentence.value(report.title || report.lab)}</h1>
      {report.skipped === undefined ? null : <p class="mute">skipped: {report.skipped}</p>}
      {report.error === undefined ? null : <p class="bad">{report.error}</p>}
      <Notices of={report.notices} />
      <ol>
        {report.steps.map((step, index) => (
          <StepItem key={index} step={step} index={index} />
        ))}
      </ol>
    </nav>
  )
}

/** More than these would push the steps out of sight. */
const mostNotices = 3

/** What is known and assumed, folded if it is much. */
export function Notices({ of: notices, open = notices.length <= mostNotices }: NoticesProps) {
  const lines = notices.map((notice) => (
    <p class="mute notice" key={notice}>
      {sentence.value(notice)}
    </p>
  ))
  if (open) return <>{lines}</>
  return (
    <details class="notices">
      <summary>{say.value.assumed(notices.length)}</summary>
      {lines}
    </details>
  )
}

interface NoticesProps {
  readonly of: readonly string[]
  /** All of them, as on paper. */
  readonly open?: boolean
}

function StepItem({ step, index }: { readonly step: StepResult; readonly index: number }) {
  const { lab } = shown.value
  const isShown = shown.value.step === index
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  const state = step.skipped !== undefined ? 'skipped' : stepFailed(step) ? 'failed' : 'passed'
  return (
    <li ref={item} class={isShown ? 'shown' : ''}>
      <a
        class="step"
        href={hashOf({ lab, step: index, flow: 0 })}
        aria-current={isShown ? 'step' : undefined}
      >
        <Status state={state} />
        <span>{sentence.value(step.name)}</span>
      </a>
      {isShown ? <StepDetails step={step} index={index} /> : null}
    </li>
  )
}

function StepDetails({ step, index }: { readonly step: StepResult; readonly index: number }) {
  const failedFirst = step.checks.toSorted((a, b) => Number(a.ok) - Number(b.ok))
  return (
    <div class="details">
      {step.action === '' ? null : (
        <code class="action">
          {step.from === undefined ? '' : <span class="mute">{step.from} $ </span>}
          {sentence.value(step.action)}
        </code>
      )}
      {step.skipped === undefined ? null : <p class="mute">{step.skipped}</p>}
      {step.error === undefined ? null : <p class="bad">{step.error}</p>}
      {step.summary?.map((line) => (
        <p class="mute" key={line}>
          {sentence.value(line)}
        </p>
      ))}
      <ul class="checks">
        {failedFirst.map((check, at) => (
          <Check key={at} check={check} />
        ))}
      </ul>
      <WhyOf step={step} why={currentLab.value?.steps[index]?.why} />
      {step.flows.length < 2 ? null : (
        <div class="flows" role="group" aria-label={say.value.packetsOfStep}>
          {step.flows.map((flow, at) => (
            <FlowLink key={at} flow={flow} index={at} step={index} />
          ))}
          {step.flowCount > step.flows.length ? (
            <small class="mute">
              {(isPredicted(index) ? say.value.morePaths : say.value.moreFlows)(
                step.flowCount - step.flows.length,
              )}
            </small>
          ) : null}
        </div>
      )}
    </div>
  )
}

/** Whether the flows of a step are possible paths, of which no packet was sent. */
function isPredicted(step: number): boolean {
  const known = currentLab.value?.steps[step]?.paths[0]
  return known !== undefined && 'basis' in known && known.basis !== undefined && known.basis !== 'trace'
}

interface WhyOfProps {
  readonly step: StepResult
  /** Of a page about requests. */
  readonly why: ShownWhy | undefined
}

/** Why a step has failed, and what would fix it. */
export function WhyOf({ step: { why }, why: answer }: WhyOfProps) {
  if (answer !== undefined)
    return (
      <div class="why-answer">
        <WhyAnswer of={answer} />
      </div>
    )
  if (why === undefined) return null
  return (
    <dl class="failure">
      {whyLines(why).map(([label, text]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Check({ check: { name, ok, expected, observed, look } }: { readonly check: CheckResult }) {
  return (
    <li>
      <Status state={ok ? 'passed' : 'failed'} />
      <div>
        {sentence.value(name)}
        {ok ? (
          observed === '' || observed === name ? null : (
            <small class="mute"> {observed}</small>
          )
        ) : (
          <dl class="failure">
            <dt>{say.value.expected}</dt>
            <dd>{sentence.value(expected)}</dd>
            <dt>{say.value.observed}</dt>
            <dd>{sentence.value(observed)}</dd>
            {look === undefined ? null : (
              <>
                <dt>{say.value.look}</dt>
                <dd>
                  <code>{look}</code>
                </dd>
              </>
            )}
          </dl>
        )}
      </div>
    </li>
  )
}

function FlowLink({
  flow,
  index,
  step,
}: {
  readonly flow: Flow
  readonly index: number
  readonly step: number
}) {
  const { lab } = shown.value
  const known = currentLab.value?.steps[step]?.paths[index]
  const receiver = known !== undefined && 'path' in known ? known.path.receiver?.name : undefined
  const last = flow.hops.at(-1)?.netns ?? (known !== undefined && 'path' in known ? known.path.end.place : '')
  return (
    <a
      class="chip"
      href={hashOf({ lab, step, flow: index })}
      aria-current={shown.value.flow === index ? 'true' : undefined}
    >
      {index + 1} → {sentence.value((receiver ?? last).replace(/^pod default\//, ''))}
      {known !== undefined && 'path' in known && known.basis === 'plan' && known.path.probability < 1
        ? ` · ${probabilityText(known.path.probability)}`
        : ''}
      {flow.outcome === 'answered' ? '' : ` · ${sentence.value(flow.outcome)}`}
    </a>
  )
}
