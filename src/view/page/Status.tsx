import { sentence } from './texts/sentence.js'

const marks = { passed: '✔', failed: '✗', skipped: '–' } as const

/** How something ended, as a mark with its word for readers that do not see it. */
export function Status({ state }: { readonly state: keyof typeof marks }) {
  return (
    <span class={`status ${state}`} role="img" aria-label={sentence.value(state)}>
      {marks[state]}
    </span>
  )
}
