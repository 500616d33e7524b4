import { clusterCodes } from './clusterCodes.js'
import { hostCodes } from './hostCodes.js'
import { ingressCodes } from './ingressCodes.js'
import { policyCodes } from './policyCodes.js'
import { requestCodes } from './requestCodes.js'
import { ruleCodes } from './ruleCodes.js'
import { serviceCodes } from './serviceCodes.js'
import type { Explanation } from './explanation.js'

const all = {
  ...serviceCodes,
  ...ingressCodes,
  ...requestCodes,
  ...hostCodes,
  ...ruleCodes,
  ...policyCodes,
  ...clusterCodes,
}

/** A stable name of what a finding is about; scripts may compare it, unlike a sentence. */
export type Code = keyof typeof all

/** All codes with their explanations, in the order of docs/causes.md. */
export const codes: Readonly<Record<Code, Explanation>> = all

/** The subject of codes, as a heading. */
export type CodeSubject =
  | 'Services and endpoints'
  | 'Ingresses and routes'
  | 'Requests'
  | 'Hosts'
  | 'Rules and ends'
  | 'Network policies'
  | 'Clusters and nodes'

/** The codes by subject. */
export const codeGroups: readonly { readonly heading: CodeSubject; readonly codes: readonly Code[] }[] = [
  { heading: 'Services and endpoints', codes: keysOf(serviceCodes) },
  { heading: 'Ingresses and routes', codes: keysOf(ingressCodes) },
  { heading: 'Requests', codes: keysOf(requestCodes) },
  { heading: 'Hosts', codes: keysOf(hostCodes) },
  { heading: 'Rules and ends', codes: keysOf(ruleCodes) },
  { heading: 'Network policies', codes: keysOf(policyCodes) },
  { heading: 'Clusters and nodes', codes: keysOf(clusterCodes) },
]

/** All codes. */
export const codeNames: readonly Code[] = keysOf(codes)

/** Whether a text is a code. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table) as Key[]
}
