import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { say } from './language.js'

interface Question {
  readonly text: string
  /** The button that does it. */
  readonly action: string
  readonly onConfirm: () => void
}

const question = signal<Question | undefined>(undefined)

/** Asks before something that cannot be undone. */
export function confirmFirst(text: string, action: string, onConfirm: () => void): void {
  question.value = { text, action, onConfirm }
}

/** The question of `confirmFirst`, above the page; Escape cancels. */
export function Confirm() {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = question.value
  useEffect(() => {
    if (asked !== undefined) dialog.current?.showModal()
  }, [asked])
  if (asked === undefined) return null
  const close = () => (question.value = undefined)
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-text" onClose={close}>
      <p id="confirm-text">{asked.text}</p>
      <div class="buttons">
        <button type="button" onClick={close}>
          {say.value.cancel}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close()
            asked.onConfirm()
          }}
        >
          {asked.action}
        </button>
      </div>
    </dialog>
  )
}
