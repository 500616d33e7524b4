import { fieldName } from '../../agents/meaning.js'
import { sameSocket, tracedSocketText, type TracedSocket } from '../../snapshot/model/packet.js'
import { natColour } from '../../trace/text/natColour.js'
import type { Path } from '../../trace/model/steps.js'
import { conditionsText, shortChain } from '../../trace/text/ruleText.js'
import { chainsOf } from '../../trace/text/nextChain.js'
import { endOf } from '../path/end.js'
import type { ShownRule } from '../path/frames.js'
import type { PredictedFlow } from '../report/document.js'
import type { Coverage } from '../../lab/trace/observed.js'
import { flow, frame, frames, moment, path } from './exchange.js'
import { Decisions } from './Decisions.js'
import { Answered, Ask, openQuestion } from './Quiz.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** The packet at the moment that is shown, and the rules that it meets. */
export function Moment() {
  const now = frame.value
  if (now === undefined) return null
  const isAnswer = now.direction === 'answer'
  const isLast = moment.value === frames.value.length - 1
  return (
    <aside class="moment" aria-label={say.value.moment} aria-live="polite" tabIndex={0}>
      <section class="card">
        <h2>{say.value.momentOf(now.place, moment.value + 1, frames.value.length)}</h2>
        <p class="says">{sentence.value(now.text)}</p>
        <dl class="tuple">
          <Socket isAnswer={isAnswer} name="source" before={now.before.source} after={now.after.source} />
          <Socket
            isAnswer={isAnswer}
            name="destination"
            before={now.before.destination}
            after={now.after.destination}
          />
          {now.markBefore === 0 && now.markAfter === 0 ? null : (
            <>
              <dt>{say.value.mark}</dt>
              <dd class="mono">
                {now.markBefore === now.markAfter ? null : <s>{hex(now.markBefore)}</s>} {hex(now.markAfter)}
              </dd>
            </>
          )}
        </dl>
        {now.notes.map((note) => (
          <p class="mute mono" key={note}>
            {sentence.value(note)}
          </p>
        ))}
        {isLast ? <EndOf /> : null}
      </section>
      {now.rules.length === 0 ? (
        <Decisions />
      ) : (
        <section class="card">
          <h2>{say.value.rulesEvaluated}</h2>
          <Rules rules={now.rules} />
        </section>
      )}
      <Sources />
    </aside>
  )
}

interface SocketProps {
  readonly name: 'source' | 'destination'
  readonly before: TracedSocket
  readonly after: TracedSocket
  readonly isAnswer: boolean
}

function Socket({ name, before, after, isAnswer }: SocketProps) {
  const changed = !sameSocket(before, after)
  return (
    <>
      <dt>{say.value[name]}</dt>
      <dd class="mono">
        {changed ? <s>{tracedSocketText(before)}</s> : null}{' '}
        <span class={changed ? natColour(name, isAnswer) : ''}>{tracedSocketText(after)}</span>
      </dd>
    </>
  )
}

function hex(mark: number): string {
  return mark === 0 ? '0' : `0x${mark.toString(16)}`
}

/** Ends that are no failure: how they are shown. */
const endStates: Readonly<Partial<Record<Path['end']['kind'], string>>> = {
  answered: 'good',
  untraceable: 'mute',
}

/** How the path ends, with what the caller got. */
function EndOf() {
  const known = path.value
  const seen = flow.value
  if (known === undefined || 'unknown' in known)
    return (
      <p class="says">
        {say.value.caller}: {seen === undefined ? '' : sentence.value(seen.outcome)}
      </p>
    )
  const { probability } = known.path
  const end = endOf(known, seen)
  return (
    <>
      <p class={`says ${endStates[end.kind] ?? 'bad'}`}>{sentence.value(end.reason)}</p>
      {probability < 1 && known.paths > 1 ? (
        <p class="mute">{say.value.oneOfPaths(known.paths, Number(probability.toFixed(3)))}</p>
      ) : null}
    </>
  )
}

/** Rules in their chains; those that do not apply are folded if they are many. An open question hides the rules that answer it. */
function Rules({ rules }: { readonly rules: readonly ShownRule[] }) {
  const question = openQuestion.value
  const all = chainsOf(rules)
  const chains = all.slice(0, question?.after)
  return (
    <>
      <ol class="rules">
        {chains.map(({ chain, rules: own }, index) => (
          <li key={index}>
            <Answered after={index - 1} />
            <h3>{chain}</h3>
            <Chain rules={own} />
          </li>
        ))}
      </ol>
      {question === undefined ? null : (
        <>
          <Answered after={question.after - 1} />
          <Ask question={question} chain={all[question.after]?.chain ?? ''} />
        </>
      )}
    </>
  )
}

/** More rules in a row that do not apply are folded. */
const mostShown = 3

function Chain({ rules }: { readonly rules: readonly ShownRule[] }) {
  const parts: { applies: boolean; rules: ShownRule[] }[] = []
  for (const rule of rules) {
    const applies = rule.kind === 'policy' || rule.holds !== 'no'
    const last = parts.at(-1)
    if (last?.applies === applies) last.rules.push(rule)
    else parts.push({ applies, rules: [rule] })
  }
  return (
    <ul>
      {parts.map(({ applies, rules: own }, index) =>
        applies || own.length <= mostShown ? (
          own.map((rule, at) => <RuleItem key={`${index} ${at}`} rule={rule} />)
        ) : (
          <li class="folded" key={index}>
            <details>
              <summary>{say.value.doNotApply(own.length)}</summary>
              <ul>
                {own.map((rule, at) => (
                  <RuleItem key={at} rule={rule} />
                ))}
              </ul>
            </details>
          </li>
        ),
      )}
    </ul>
  )
}

const signs = { yes: '✔', no: '✗', unknown: '?' } as const

function RuleItem({ rule }: { readonly rule: ShownRule }) {
  if (rule.kind === 'policy')
    return (
      <li class="rule yes">
        <span class="sign">·</span>
        <code>{say.value.policy(rule.policy)}</code>
      </li>
    )
  return (
    <li class={`rule ${rule.holds}`}>
      <span class="sign" role="img" aria-label={say.value.marks[rule.holds]}>
        {signs[rule.holds]}
      </span>
      <div>
        <span title={rule.spec}>
          <code>{conditionsText(rule)}</code>{' '}
          <span class="effect">
            → {rule.effect === undefined ? targetOf(rule.spec) : shortChain(rule.effect)}
          </span>
        </span>
        {rule.holds === 'yes' || rule.condition === undefined ? null : (
          <small>
            {rule.condition}
            {rule.because === undefined ? '' : `: ${sentence.value(rule.because)}`}
          </small>
        )}
        {rule.holds === 'no' || rule.why === undefined ? null : (
          <small class="why">{sentence.value(rule.why)}</small>
        )}
        {rule.holds === 'no' || rule.object === undefined ? null : (
          <small class="service">
            {rule.object.kind} {fieldName(rule.object)}
          </small>
        )}
      </div>
    </li>
  )
}

/** The target of a rule that does not apply, or whose effect is not known. */
function targetOf(spec: string): string {
  const [, target = say.value.nextRule] = / -[jg] (\S+)/.exec(` ${spec}`) ?? []
  return shortChain(target)
}

/** What of the path was seen, and what was computed. */
function Sources() {
  const known = path.value
  if (known === undefined) return null
  if ('unknown' in known)
    return <p class="mute sources">{say.value.pathUnknown(sentence.value(known.unknown))}</p>
  const { differing } = known
  return (
    <div class="sources">
      <p class={differing.length === 0 ? 'mute' : 'bad'}>{sourceText(known)}</p>
      {known.basis === 'trace' && known.path.error !== undefined ? (
        <p class="mute">{say.value.errorNotTraced}</p>
      ) : null}
      {differing.map((text) => (
        <code key={text}>{sentence.value(text)}</code>
      ))}
      {known.coverage === undefined ? null : <Covered by={known.coverage} />}
    </div>
  )
}

/** What of a large lab was read and traced. */
function Covered({ by: { read, of, unread, untraced } }: { readonly by: Coverage }) {
  return (
    <>
      <p class="mute">{say.value.partlyRead(read, of)}</p>
      {untraced.length === 0 ? null : <p class="mute">{say.value.notTraced(untraced.join(', '))}</p>}
      {unread.length === 0 ? null : <p class="mute">{say.value.notRead(unread.join(', '))}</p>}
    </>
  )
}

function sourceText({ basis, seen, differing }: PredictedFlow): string {
  const { length } = differing
  switch (basis) {
    case 'plan':
      return say.value.fromPlan
    case 'kernel':
      return say.value.fromKernel
    case 'attached':
      return say.value.fromAttached
    case 'trace':
      return length === 0 ? say.value.traceIsSame(seen) : say.value.traceDiffers(length)
    default:
      return length === 0 ? say.value.capturesAreSame(seen) : say.value.capturesDiffer(length, seen)
  }
}
