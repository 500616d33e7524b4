import { useState } from 'preact/hooks'
import { say } from '../language.js'
import { addParticipants } from './state.js'

/** Adds participants who join later. */
export function AddParticipants() {
  const words = say.value
  const [text, setText] = useState('')
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  return (
    <section class="add-participants" aria-label={words.addParticipants}>
      <h2>{words.addParticipants}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void addParticipants(names).then((added) => {
            if (added) setText('')
          })
        }}
      >
        <label>
          {words.names}
          <input
            type="text"
            required
            autocomplete="off"
            autocapitalize="none"
            placeholder="grace linus"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="plain" disabled={names.length === 0}>
          {words.add}
        </button>
      </form>
    </section>
  )
}
