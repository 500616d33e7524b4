import { writeObject, type Form } from '../../apiserver/form.js'
import { apiVersionOf, type Resource } from '../../apiserver/resources.js'
import type { WatchEvent } from '../../apiserver/watchEvent.js'

/**
 * The line of a watch for an event. `source` is the change, or the stored object, that the event is about: watches of one resource in
 * one form get the same bytes for it, so that they also share the memory in which unread lines wait.
 */
export type WatchLine = (
  event: WatchEvent,
  resource: Resource,
  form: Form,
  columns: boolean,
  source: object,
) => Buffer

/** Writes lines of watches; those that still wait somewhere are not written again. */
export function createWatchLines(): WatchLine {
  const lines = new WeakMap<object, Map<string, WeakRef<Buffer>>>()
  return (event, resource, form, columns, source) => {
    const key = [event.type, apiVersionOf(resource), resource.plural, columns, ...formKey(form)].join(' ')
    const known = lines.get(source) ?? new Map<string, WeakRef<Buffer>>()
    const written = known.get(key)?.deref()
    if (written !== undefined) return written
    const object = writeObject(event.object, form, columns)
    const line = Buffer.from(`${JSON.stringify({ type: event.type, object })}\n`)
    lines.set(source, known.set(key, new WeakRef(line)))
    return line
  }
}

/** Forms with one key are the same for a second: the cells of a Table have ages. */
function formKey(form: Form): readonly (string | number)[] {
  switch (form.as) {
    case 'object':
      return [form.as]
    case 'metadata':
      return [form.as, form.version]
    case 'table':
      return [form.as, form.version, form.include, Math.floor(form.now().getTime() / 1000)]
  }
}
