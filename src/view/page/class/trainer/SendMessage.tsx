import { useState } from 'preact/hooks'
import type { ClassState } from '../../../class/trainerApi.js'
import { language } from '../../language.js'
import { confirmFirst } from '../Confirm.js'
import { say } from '../language.js'
import { makeLink, messageTo, sendMessage, withdrawLinks } from './state.js'

const mostShown = 5

/** A message to everyone, or to one participant; and the last ones. */
export function SendMessage({ of: { participants, messages } }: { readonly of: ClassState }) {
  const words = say.value
  const to = messageTo.value
  const [text, setText] = useState('')
  const [isSent, setSent] = useState(false)
  return (
    <section class="send-message" aria-label={words.message}>
      <h2>{words.message}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void sendMessage(text).then((sent) => {
            setSent(sent)
            if (sent) setText('')
          })
        }}
      >
        <label>
          {words.messageTo}
          <select
            value={to ?? ''}
            onChange={({ currentTarget }) => (messageTo.value = currentTarget.value || undefined)}
          >
            <option value="">{words.everyone}</option>
            {participants.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <textarea
          aria-label={words.message}
          rows={2}
          required
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setSent(false)
          }}
        />
        <div class="buttons">
          <button type="submit" class="primary">
            {words.send}
          </button>
          {to === undefined ? null : (
            <>
              <button
                type="button"
                class="plain"
                title={words.furtherLink(to)}
                onClick={() => void makeLink(to)}
              >
                {words.newLink}
              </button>
              <button
                type="button"
                class="plain danger"
                onClick={() =>
                  confirmFirst(words.confirmWithdraw(to), words.withdrawLinks, () => void withdrawLinks(to))
                }
              >
                {words.withdrawLinks}
              </button>
            </>
          )}
          <span class="good" role="status">
            {isSent ? words.sent : ''}
          </span>
        </div>
      </form>
      <ul class="sent">
        {messages
          .slice(-mostShown)
          .toReversed()
          .map(({ id, at, text: sent, to: receiver }) => (
            <li key={id}>
              <span class="mute">
                {new Date(at).toLocaleTimeString(language.value, { timeStyle: 'short' })} →{' '}
                {receiver ?? words.everyone}:
              </span>{' '}
              {sent}
            </li>
          ))}
      </ul>
    </section>
  )
}
