import { useEffect, useState } from 'preact/hooks'
import { Actions } from './Actions.js'
import { ServiceEndpoints } from './ServiceEndpoints.js'
import { readYaml, replaceYaml, type ObjectName } from './kubernetes.js'
import { useTask } from './useTask.js'
import { say } from '../../texts/say.js'

interface EditorProps {
  readonly object: ObjectName
  readonly canChange: boolean
  readonly onDeleted: () => void
}

/** An object in YAML, which is saved as a whole; the API validates it, and rejects it if the object has changed meanwhile. */
export function Editor({ object, canChange, onDeleted }: EditorProps) {
  const { resource, namespace, name } = object
  const [text, setText] = useState('')
  const { state, run } = useTask()
  const read = async () => setText(await readYaml(object))
  const reload = () => run('', read)
  useEffect(reload, [])
  const isEditable = canChange && resource.verbs.includes('update')
  const heading = `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  return (
    <div class="editor">
      <h2>{heading}</h2>
      {resource.kind === 'Service' && namespace !== undefined ? (
        <ServiceEndpoints namespace={namespace} service={name} />
      ) : null}
      {canChange ? <Actions {...{ object, run, onDeleted }} onChanged={read} /> : null}
      <div class="inline">
        {isEditable ? (
          <>
            <button
              type="button"
              class="plain"
              disabled={state.isBusy}
              onClick={() =>
                run(say.value.saved, async () => setText(await replaceYaml(object, text, false)))
              }
            >
              {say.value.save}
            </button>
            <button
              type="button"
              class="plain"
              disabled={state.isBusy}
              onClick={() =>
                run(say.value.accepted, async () => void (await replaceYaml(object, text, true)))
              }
            >
              {say.value.check}
            </button>
          </>
        ) : null}
        <button type="button" class="plain" disabled={state.isBusy} onClick={reload}>
          {say.value.reload}
        </button>
      </div>
      {state.error === '' ? null : (
        <p class="bad" role="alert">
          {state.error}
        </p>
      )}
      <p class="mute" role="status">
        {state.done}
      </p>
      <textarea
        class="mono"
        aria-label={say.value.inYaml(heading)}
        rows={Math.min(28, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        readOnly={!isEditable}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}
