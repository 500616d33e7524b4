import type { Resource } from '../apiserver/resources.js'
import { InputError } from '../errors.js'
import { resourceNamed } from '../up/api.js'

/** Objects of a resource that a user asks for; without names all of them. */
export interface WantedObjects {
  readonly resource: Resource
  readonly names: readonly string[]
}

/** Reads `ingress`, `pods,svc`, `ingress web shop` or `ingress/web svc/shop`; throws InputError. */
export function wantedObjects(kinds: readonly string[], names: readonly string[]): WantedObjects[] {
  if (!kinds.some((kind) => kind.includes('/')))
    return kinds.map((kind) => ({ resource: resourceNamed(kind), names }))
  const found = new Map<Resource, string[]>()
  for (const { resource, name } of [...kinds, ...names].map(pairOf))
    found.set(resource, [...(found.get(resource) ?? []), name])
  return [...found].map(([resource, own]) => ({ resource, names: own }))
}

function pairOf(word: string): { resource: Resource; name: string } {
  const [kind = '', name = '', ...more] = word.split('/')
  if (kind === '' || name === '' || more.length > 0)
    throw new InputError([{ message: `"${word}" names no object`, hint: 'write KIND/NAME' }])
  return { resource: resourceNamed(kind), name }
}
