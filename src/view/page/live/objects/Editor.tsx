import { useEffect, useState } from 'preact/hooks'
import { Actions } from './Actions.js'
import { ServiceEndpoints } from './ServiceEndpoints.js'
import { readYaml, replaceYaml, type ObjectName } from './kubernetes.js'
import { drafts, keepDraft } from './drafts.js'
import { useTask } from './useTask.js'
import { YamlField } from './YamlField.js'
import { say } from '../../texts/say.js'

interface EditorProps {
  readonly object: ObjectName
  readonly canChange: boolean
  readonly onDeleted: () => void
}

/** An object in YAML, which is saved as a whole; the API validates it, and rejects it if the object has changed meanwhile. */
export function Editor({ object, canChange, onDeleted }: EditorProps) {
  const { resource, namespace, name } = object
  const heading = `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  const draft = drafts.value.get(heading)
  /** As the API has it; an edit is a draft. */
  const [saved, setSaved] = useState<string>()
  const text = draft ?? saved
  const { state, run } = useTask()
  const show = (next: string) => {
    keepDraft(heading, undefined)
    setSaved(next)
  }
  const edit = (next: string) => keepDraft(heading, next === saved ? undefined : next)
  const read = async () => show(await readYaml(object))
  const reload = () => run('', read)
  useEffect(() => {
    if (draft === undefined) reload()
  }, [])
  const isEditable = canChange && resource.verbs.includes('update')
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
                run(say.value.saved, async () => show(await replaceYaml(object, text ?? '', false)))
              }
            >
              {say.value.save}
            </button>
            <button
              type="button"
              class="plain"
              disabled={state.isBusy}
              onClick={() =>
                run(say.value.accepted, async () => void (await replaceYaml(object, text ?? '', true)))
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
      {text === undefined ? null : (
        <YamlField
          label={say.value.inYaml(heading)}
          text={text}
          readOnly={!isEditable}
          problem={state.error}
          onText={edit}
        />
      )}
    </div>
  )
}
