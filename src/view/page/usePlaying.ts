import { useEffect } from 'preact/hooks'
import { frames, goTo, moment, playing } from './exchange.js'
import { openQuestion } from './Quiz.js'

/** Milliseconds that playing shows one moment. */
const pace = 1100

/** Arrow keys move through the moments of the request that is shown, and playing moves on; it waits for answers. */
export function usePlaying(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (
        event.defaultPrevented ||
        event.altKey ||
        event.ctrlKey ||
        event.metaKey ||
        frames.value.length === 0
      )
        return
      if (target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(target.tagName)) return
      if (event.key === 'ArrowRight') goTo(moment.value + 1)
      else if (event.key === 'ArrowLeft') goTo(moment.value - 1)
      else return
      playing.value = false
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!playing.value || openQuestion.value !== undefined) return
    const timer = setTimeout(() => {
      if (moment.value >= frames.value.length - 1) playing.value = false
      else goTo(moment.value + 1)
    }, pace)
    return () => clearTimeout(timer)
  }, [playing.value, moment.value, openQuestion.value])
}
