import { useState } from 'preact/hooks'
import { createYaml, type KubeResource, type ObjectName } from './kubernetes.js'
import { useTask } from './useTask.js'
import { say } from '../../texts/say.js'

interface CreateObjectProps {
  readonly resource: KubeResource
  readonly onCreated: (object: ObjectName) => void
}

/** A new object in YAML. */
export function CreateObject({ resource, onCreated }: CreateObjectProps) {
  const [namespace, setNamespace] = useState('default')
  const [text, setText] = useState(templateOf(resource))
  const { state, run } = useTask()
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault()
        run('', async () => onCreated(await createYaml(resource, namespace, text)))
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
      <textarea
        class="mono"
        aria-label={say.value.newInYaml(resource.kind)}
        rows={14}
        value={text}
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
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
