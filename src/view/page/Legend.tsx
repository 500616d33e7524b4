const entries = [
  ['', 'as sent'],
  ['destination', 'destination rewritten (DNAT)'],
  ['source', 'source rewritten (SNAT)'],
  ['answer', 'answer'],
] as const

/** What the colours of packets mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="Colours of packets">
      {entries.map(([name, text]) => (
        <li key={text}>
          <svg width="26" height="8" aria-hidden="true">
            <path class={`path passed ${name}`} d="M1 4H25" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  )
}
