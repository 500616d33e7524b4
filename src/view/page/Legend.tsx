import { say } from './texts/say.js'

const entries = [
  ['', 'asSent'],
  ['destination', 'destinationRewritten'],
  ['source', 'sourceRewritten'],
  ['answer', 'answer'],
] as const

/** What the colours of packets mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label={say.value.colours}>
      {entries.map(([name, text]) => (
        <li key={text}>
          <svg width="26" height="8" aria-hidden="true">
            <path class={`path passed ${name}`} d="M1 4H25" />
          </svg>
          {say.value[text]}
        </li>
      ))}
    </ul>
  )
}
