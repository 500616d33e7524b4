import { computed, effect, signal } from '@preact/signals'
import { shortChain } from '../../trace/text/ruleText.js'
import { questionsAt, type Question } from '../path/chains.js'
import { exchange, frames, moment } from './exchange.js'
import { say } from './texts/say.js'

/** Whether the viewer is asked for the next chain before it is shown. */
const asking = signal(false)
/** What was answered for the request that is shown, by moment and chain. */
const given = signal<ReadonlyMap<string, { readonly text: string; readonly isRight: boolean }>>(new Map())

effect(() => {
  if (exchange.value !== undefined || given.peek().size > 0) given.value = new Map()
})

const questions = computed(() => (asking.value ? questionsAt(frames.value, moment.value) : []))

/** The question that hides what follows; undefined if nothing is hidden. */
export const openQuestion = computed<Question | undefined>(() =>
  questions.value.find(({ after }) => !given.value.has(keyOf(after))),
)

/** What was answered after a chain of the moment that is shown. */
export function answerAfter(chain: number): { readonly text: string; readonly isRight: boolean } | undefined {
  return asking.value ? given.value.get(keyOf(chain)) : undefined
}

function keyOf(after: number): string {
  return `${moment.value} ${after}`
}

interface AskProps {
  readonly question: Question
  /** The name of the chain whose successor is wanted. */
  readonly chain: string
}

/** Asks for the chain that follows. */
export function Ask({ question: { after, options, answer }, chain }: AskProps) {
  return (
    <fieldset class="ask">
      <legend>{say.value.whichNext(shortChain(chain))}</legend>
      {options.map((text) => (
        <button
          key={text}
          type="button"
          class="plain mono"
          onClick={({ currentTarget }) => {
            // this button goes away: Tab reaches the next question from here
            currentTarget.closest<HTMLElement>('.moment')?.focus()
            given.value = new Map([...given.value, [keyOf(after), { text, isRight: text === answer }]])
          }}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

/** Whether an answer was right. */
export function Answered({ after }: { readonly after: number }) {
  const answer = answerAfter(after)
  if (answer === undefined) return null
  return (
    <p class={`answered ${answer.isRight ? 'good' : 'bad'}`} role="status">
      {answer.isRight ? say.value.right : say.value.not}
      <code>{answer.text}</code>
    </p>
  )
}

/** Switches the questions on and off, and counts the answers. */
export function AskSwitch() {
  const all = [...given.value.values()]
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={asking.value}
        onChange={({ currentTarget }) => (asking.value = currentTarget.checked)}
      />
      {say.value.askForNext}
      {asking.value && all.length > 0 ? (
        <span class="mute">{say.value.rightOf(all.filter(({ isRight }) => isRight).length, all.length)}</span>
      ) : null}
    </label>
  )
}
