import { effect } from '@preact/signals'
import { lab, pane, place } from './state.js'

/** Whether the page is a part of another one. */
export const isFramed = window.parent !== window

/** Shows what the address names now, and each time it changes: a pane, and a place by its name: `#rules/node-a`. */
export function followAddress(): void {
  const show = () => {
    const [wanted = '', name = ''] = location.hash.slice(1).split('/')
    if (wanted === '') return
    pane.value = wanted
    const stop = effect(() => {
      const places = Object.entries(lab.value?.places ?? {})
      const found = places.find(([netns, place]) => netns === name || place.name === name)
      if (found !== undefined) place.value = found[0]
      // with the first places that are known
      if (places.length > 0) queueMicrotask(() => stop())
    })
  }
  addEventListener('hashchange', show)
  show()
}
