import { Command } from 'commander'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
import { kindNamed } from '../../cluster/changes/index.js'
import { InputError } from '../../errors.js'

/** The options of all built-in verbs that change the cluster of a running lab. */
export interface ChangeFlags {
  readonly namespace: string
}

/** A built-in verb that changes a running lab, with the options that all of them have. */
export function changeCommand(name: string): Command {
  return new Command(name).option(
    '-n, --namespace <namespace>',
    'Kubernetes namespace of the objects',
    'default',
  )
}

/**
 * Reads objects as kubectl does: `deployment/web service/web`, or a kind and names, `pod web-0 web-1`. Throws InputError
 * for an unknown kind.
 */
export function objectRefs(words: readonly string[], namespace: string): ObjectRef[] {
  const [first = '', ...names] = words
  const pairs = first.includes('/')
    ? words.map((word) => word.split('/'))
    : names.map((name) => [first, name])
  if (pairs.length === 0)
    throw new InputError([{ message: `which ${first}? write ${first}/NAME, or ${first} NAME` }])
  return pairs.map(([kind = '', ...rest]) => refOf(kind, rest.join('/'), namespace))
}

function refOf(word: string, name: string, namespace: string): ObjectRef {
  const kind = kindNamed(word)
  if (kind === undefined) throw new InputError([{ message: `unknown kind "${word}"` }])
  if (name === '' || name.includes('/'))
    throw new InputError([{ message: `"${word}/${name}" names no object`, hint: 'write KIND/NAME' }])
  return { kind, name, namespace }
}
