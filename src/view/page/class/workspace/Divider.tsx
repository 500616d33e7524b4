import type { Signal } from '@preact/signals'
import { say } from '../language.js'

const least = 15
const most = 85
const step = 5

/** The line between the live view and the terminals, moved by pointer and by arrow keys (WAI-ARIA APG, window splitter). */
export function Divider({ share }: { readonly share: Signal<number> }) {
  const set = (next: number) => (share.value = Math.min(most, Math.max(least, Math.round(next))))
  const moves: Readonly<Record<string, number>> = {
    ...{ ArrowUp: share.value - step, ArrowDown: share.value + step, Home: least, End: most },
  }
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={say.value.divider}
      aria-valuenow={share.value}
      aria-valuemin={least}
      aria-valuemax={most}
      onKeyDown={(event) => {
        const next = moves[event.key]
        if (next === undefined) return
        event.preventDefault()
        set(next)
      }}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return
        const { top, height } = (currentTarget.parentElement as HTMLElement).getBoundingClientRect()
        set(((clientY - top) / height) * 100)
      }}
    />
  )
}
