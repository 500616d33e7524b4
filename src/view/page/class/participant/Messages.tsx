import { signal } from '@preact/signals'
import type { Message } from '../../../class/api.js'
import { language } from '../../language.js'
import { say } from '../language.js'

/** The name under which this tab keeps the last message that was read. */
const key = 'vethlab-read'

const read = signal(stored())

/** Messages of the trainer that were not marked as read, newest first. */
export function Messages({ messages }: { readonly messages: readonly Message[] }) {
  const unread = messages.filter(({ id }) => id > read.value)
  return (
    <div class="messages" role="log" aria-label={say.value.messages}>
      {unread.toReversed().map(({ id, at, text }) => (
        <div key={id} class="message">
          <b>{say.value.fromTrainer}</b>
          <span class="mute">{new Date(at).toLocaleTimeString(language.value, { timeStyle: 'short' })}</span>
          <p>{text}</p>
          <button type="button" class="plain" onClick={() => markRead(id)}>
            {say.value.dismiss}
          </button>
        </div>
      ))}
    </div>
  )
}

/** This message and those before. */
function markRead(id: number): void {
  read.value = id
  try {
    sessionStorage.setItem(key, String(id))
  } catch {
    // the browser keeps nothing
  }
}

function stored(): number {
  try {
    return Number(sessionStorage.getItem(key) ?? -1)
  } catch {
    return -1
  }
}
