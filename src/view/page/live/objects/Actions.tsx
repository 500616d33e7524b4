import { useState } from 'preact/hooks'
import { patch, remove, type ObjectName } from './kubernetes.js'
import type { Run } from './useTask.js'
import { say } from '../../texts/say.js'

interface ActionsProps {
  readonly object: ObjectName
  readonly run: Run
  /** Reads the object again. */
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

/** Changes that need no editor: scale, label, delete. */
export function Actions({ object, run, onChanged, onDeleted }: ActionsProps) {
  const { scales, verbs } = object.resource
  return (
    <div class="fields">
      {scales ? <Scale {...{ object, run, onChanged }} /> : null}
      {verbs.includes('patch') ? <Label {...{ object, run, onChanged }} /> : null}
      {verbs.includes('delete') ? <Delete {...{ object, run, onDeleted }} /> : null}
    </div>
  )
}

type ChangeProps = Pick<ActionsProps, 'object' | 'run' | 'onChanged'>

function Scale({ object, run, onChanged }: ChangeProps) {
  const [replicas, setReplicas] = useState('')
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(say.value.scaled(replicas), async () => {
          await patch(object, { spec: { replicas: Number(replicas) } }, '/scale')
          await onChanged()
        })
      }}
    >
      <label>
        {say.value.replicas}
        <input
          type="number"
          min="0"
          required
          value={replicas}
          onInput={({ currentTarget }) => setReplicas(currentTarget.value)}
        />
      </label>
      <button class="plain">{say.value.scale}</button>
    </form>
  )
}

function Label({ object, run, onChanged }: ChangeProps) {
  const [text, setText] = useState('')
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        run(say.value.labelled(text), async () => {
          await patch(object, { metadata: { labels: labelsOf(text) } })
          await onChanged()
        })
      }}
    >
      <label>
        {say.value.label}
        <input
          required
          pattern="[^=\s]+(=\S*|-)"
          title={say.value.labelForm}
          placeholder={say.value.labelExample}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button class="plain">{say.value.label}</button>
    </form>
  )
}

/** The merge patch of `key=value`, or of `key-`, which removes the label. */
function labelsOf(text: string): Readonly<Record<string, string | null>> {
  const at = text.indexOf('=')
  return at < 0 ? { [text.replace(/-$/, '')]: null } : { [text.slice(0, at)]: text.slice(at + 1) }
}

/** The second click deletes: it is asked for in the same place. */
function Delete({ object, run, onDeleted }: Pick<ActionsProps, 'object' | 'run' | 'onDeleted'>) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked)
    return (
      <button type="button" class="plain" onClick={() => setAsked(true)}>
        {say.value.delete}
      </button>
    )
  return (
    <div class="inline">
      <button
        type="button"
        class="plain bad"
        onClick={() =>
          run(say.value.deleted, async () => {
            await remove(object)
            onDeleted()
          })
        }
      >
        {say.value.deleteNow(object.name)}
      </button>
      <button type="button" class="plain" onClick={() => setAsked(false)}>
        {say.value.keep}
      </button>
    </div>
  )
}
