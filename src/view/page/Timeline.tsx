import { useEffect, useRef } from 'preact/hooks'
import { groupBy } from '../../groupBy.js'
import type { Frame } from '../path/frames.js'
import { frames, goTo, moment, playing } from './exchange.js'
import { AskSwitch } from './Quiz.js'
import { say } from './texts/say.js'

/** Buttons, and every moment of the path as a mark, grouped by host. */
export function Timeline() {
  const all = frames.value
  const numbered = all.map((one, index) => ({ one, index }))
  const hops = [...groupBy(numbered, ({ one }) => one.hop).values()]
  const answer = all.findIndex(({ direction }) => direction === 'answer')
  const atEnd = moment.value >= all.length - 1
  return (
    <footer class="timeline">
      <div class="buttons">
        <button
          type="button"
          aria-label={say.value.previous}
          disabled={moment.value === 0}
          onClick={() => goTo(moment.value - 1)}
        >
          ◀
        </button>
        <button
          type="button"
          onClick={() => {
            if (atEnd) goTo(0)
            playing.value = !playing.value
          }}
        >
          {playing.value ? say.value.pause : say.value.play}
        </button>
        <button
          type="button"
          aria-label={say.value.next}
          disabled={atEnd}
          onClick={() => goTo(moment.value + 1)}
        >
          ▶
        </button>
        {answer < 0 ? null : (
          <button type="button" onClick={() => goTo(moment.value < answer ? answer : 0)}>
            {moment.value < answer ? say.value.returnPath : say.value.request}
          </button>
        )}
        <AskSwitch />
      </div>
      <ol class="hops">
        {hops.map((own) => (
          <li key={own[0]?.one.hop} class={own[0]?.one.direction}>
            <span class="place">
              {own[0]?.one.direction === 'answer' ? '◂ ' : ''}
              {own[0]?.one.place}
            </span>
            <span class="dots">
              {own.map(({ one, index }) => (
                <Dot key={index} one={one} index={index} />
              ))}
            </span>
          </li>
        ))}
      </ol>
    </footer>
  )
}

function Dot({ one, index }: { readonly one: Frame; readonly index: number }) {
  const button = useRef<HTMLButtonElement>(null)
  const isNow = moment.value === index
  useEffect(() => {
    if (isNow) button.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isNow])
  const state = isNow ? 'now' : index < moment.value ? 'done' : ''
  return (
    <button
      type="button"
      ref={button}
      class={`dot ${state}`}
      aria-label={`${one.label}, ${one.place}: ${one.text}`}
      aria-current={isNow ? 'step' : undefined}
      title={`${one.place}: ${one.text}`}
      onClick={() => {
        playing.value = false
        goTo(index)
      }}
    >
      <i />
      <span>{one.label}</span>
    </button>
  )
}
