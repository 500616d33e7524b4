import { useEffect, useState } from 'preact/hooks'
import { createYaml, type KubeResource, type ObjectName } from './kubernetes.js'
import { drafts, keepDraft } from './drafts.js'
import { useTask } from './useTask.js'
import { YamlField } from './YamlField.js'
import { say } from '../../texts/say.js'

interface CreateObjectProps {
  readonly resource: KubeResource
  readonly onCreated: (object: ObjectName) => void
}

/** A new object in YAML. */
export function CreateObject({ resource, onCreated }: CreateObjectProps) {
  const [namespace, setNamespace] = useState('default')
  const draft = drafts.value.get(resource.kind)
  const [text, setText] = useState(draft ?? templateOf(resource))
  const { state, run } = useTask()
  useEffect(() => keepDraft(resource.kind, text), [text])
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault()
        run('', async () => {
          const made = await createYaml(resource, namespace, text)
          keepDraft(resource.kind, undefined)
          onCreated(made)
        })
      }}
    >
      <h2>{say.value.newObject(resource.kind)}</h2>
      {resource.namespaced ? (
        <div class="fields">
          <label>
            {say.value.namespace}
            <input
              required
              value={namespace}
              spellcheck={false}
              onInput={({ currentTarget }) => setNamespace(currentTarget.value)}
            />
          </label>
        </div>
      ) : null}
      <YamlField
        label={say.value.newInYaml(resource.kind)}
        text={text}
        problem={state.error}
        onText={setText}
      />
      <div class="inline">
        <button class="plain" disabled={state.isBusy}>
          {say.value.create}
        </button>
      </div>
      {state.error === '' ? null : (
        <p class="bad" role="alert">
          {state.error}
        </p>
      )}
    </form>
  )
}

function templateOf({ group, version, kind }: KubeResource): string {
  return `apiVersion: ${group === '' ? version : `${group}/${version}`}\nkind: ${kind}\nmetadata:\n  name: \nspec:\n`
}
