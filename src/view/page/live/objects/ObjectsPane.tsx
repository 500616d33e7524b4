import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { lab } from '../state.js'
import { useAnswer } from '../useAnswer.js'
import { CreateObject } from './CreateObject.js'
import { Editor } from './Editor.js'
import { ObjectTable } from './ObjectTable.js'
import {
  asTable,
  listableResources,
  listPath,
  type KubeResource,
  type KubeTable,
  type ObjectName,
} from './kubernetes.js'
import { say } from '../../texts/say.js'

/** What the pane shows; kept while another pane is shown. */
const shown = signal('services')
const search = signal('')
/** Read once: a lab serves the same ones until it ends. */
const resourceList = signal<readonly KubeResource[]>([])
const chosen = signal<ObjectName | 'new' | undefined>(undefined)

/** The Kubernetes objects of the lab: tables by kind, and an editor for one. */
export function ObjectsPane() {
  const resources = resourceList.value
  const [failed, setFailed] = useState('')
  useEffect(() => {
    if (resources.length > 0) return
    listableResources().then(
      (read) => (resourceList.value = read),
      ({ message }: Error) => setFailed(message),
    )
  }, [])
  const resource = resources.find((one) => nameOf(one) === shown.value)
  const [{ value: table, error }] = useAnswer<KubeTable>(resource && listPath(resource), lab, asTable)
  const now = lab.value
  if (now === undefined) return null
  const canChange = !now.readOnly
  const object = chosen.value
  const problem = failed || error
  return (
    <section class="objects" aria-label={say.value.panes.objects}>
      <div class="fields">
        <label>
          {say.value.kind}
          <select
            value={shown.value}
            onChange={({ currentTarget }) => {
              shown.value = currentTarget.value
              chosen.value = undefined
            }}
          >
            {resources.map((one) => (
              <option key={nameOf(one)} value={nameOf(one)}>
                {labelOf(one, resources)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say.value.search}
          <input
            type="search"
            value={search.value}
            placeholder={say.value.searchObjects}
            spellcheck={false}
            onInput={({ currentTarget }) => (search.value = currentTarget.value)}
          />
        </label>
        {canChange && resource?.verbs.includes('create') === true ? (
          <button type="button" class="plain" onClick={() => (chosen.value = 'new')}>
            {say.value.newObject(resource.kind)}
          </button>
        ) : null}
      </div>
      {problem === '' ? null : (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {resource === undefined || table === undefined ? (
        <p class="mute">{say.value.readingObjects}</p>
      ) : (
        <ObjectTable
          {...{ resource, table, search: search.value }}
          chosen={object === 'new' ? undefined : object}
          onChoose={(next) => (chosen.value = next)}
        />
      )}
      {object === undefined || resource === undefined ? null : object === 'new' ? (
        <CreateObject
          key={nameOf(resource)}
          resource={resource}
          onCreated={(made) => (chosen.value = made)}
        />
      ) : (
        <Editor
          key={`${nameOf(object.resource)} ${object.namespace} ${object.name}`}
          object={object}
          canChange={canChange}
          onDeleted={() => (chosen.value = undefined)}
        />
      )}
    </section>
  )
}

/** The name of a resource as kubectl takes it. */
function nameOf({ plural, group }: KubeResource): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** The kind, with the group if another group has the same kind. */
function labelOf(one: KubeResource, all: readonly KubeResource[]): string {
  const isUnique = all.filter(({ kind }) => kind === one.kind).length === 1
  return isUnique || one.group === '' ? one.kind : `${one.kind} (${one.group})`
}
