import { kindNamed } from '../../cluster/changes/index.js'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
import type { Lookup } from '../../names/named.js'
import type { Names } from '../../names/names.js'
import { isSelector } from '../../names/podSelector.js'

/** A parsed reference to objects in lab.yaml. */
export type Reference =
  | { readonly object: ObjectRef }
  | { readonly selector: string }
  | { readonly problem: string; readonly hint?: string | undefined }

const spelling = 'write kind/name or kind/namespace/name, as in deployment/web, or a pod selector'

/** Reads `deployment/web`, `svc/shop/web`, `app=web@node-a` or `pod/app=web`. */
export function readReference(text: string): Reference {
  const [kindWord = '', ...rest] = text.split('/')
  if (isSelector(kindWord)) return { selector: text }
  const kind = kindNamed(kindWord)
  if (rest.length === 0 || rest.includes(''))
    return { problem: `"${text}" does not name an object`, hint: spelling }
  if (kind === undefined)
    return { problem: `the server doesn't have a resource type "${kindWord}"`, hint: spelling }
  const name = rest.join('/')
  if (isSelector(name))
    return kind === 'Pod'
      ? { selector: name }
      : { problem: `"${text}" does not name an object`, hint: 'only pods can be named by a selector' }
  const [first = '', second, third] = rest
  if (third !== undefined) return { problem: `"${text}" does not name an object`, hint: spelling }
  return {
    object: second === undefined ? { kind, name: first } : { kind, namespace: first, name: second },
  }
}

/** The objects that a reference names: for a selector all pods that match. */
export function objectsNamed(
  text: string,
  names: Names,
): readonly ObjectRef[] | { readonly problem: string; readonly hint?: string | undefined } {
  const reference = readReference(text)
  if ('problem' in reference) return reference
  if ('object' in reference) return [reference.object]
  const lookup: Lookup = names.lookup(reference.selector, ['pod'])
  if ('problem' in lookup) return lookup
  return lookup.found.map(({ namespace, name }) => ({ kind: 'Pod', namespace, name }))
}
