import type { Resource } from '../apiserver/resources.js'
import { InputError } from '../errors.js'
import { resourceNamed } from '../up/api.js'

/** The requested objects of a resource; without names all of them. */
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

function pairOf(text: string): { resource: Resource; name: string } {
  const [kind = '', name = '', ...more] = text.split('/')
  if (kind === '' || name === '' || more.length > 0)
    throw new InputError([{ message: `"${text}" names no object`, hint: 'write KIND/NAME' }])
  return { resource: resourceNamed(kind), name }
}
