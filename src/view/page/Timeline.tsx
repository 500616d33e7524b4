import { frame, frames, goTo, moment, playing } from './exchange.js'
import { AskSwitch } from './Quiz.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** Buttons that move through the moments of the path, and the moment that is shown. */
export function Timeline() {
  const all = frames.value
  const now = frame.value
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
      {now === undefined ? null : (
        <p class="mute">
          {say.value.momentOf(now.place, moment.value + 1, all.length)}: {sentence.value(now.text)}
        </p>
      )}
    </footer>
  )
}
