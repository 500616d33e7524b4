import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { ReadAt } from '../../../snapshot/model/readAt.js'
import { restartCommand } from '../../why/configCauses.js'
import type { Representative } from '../representatives.js'
import type { CheckFinding } from '../types.js'

/** Something that is wrong or risky whichever request is sent; `concerns` are the requests that it can be about. */
export interface Fact extends Omit<CheckFinding, 'affects'> {
  readonly concerns?: (request: Representative) => boolean
}

/** A command on a node, as a user types it. */
export function nodeCommand({ basis, model }: Snapshot, node: string, argv: string): string {
  return basis === 'attached' ? `${argv}   # on ${node}` : `vethlab exec ${model.lab.name} ${node} -- ${argv}`
}

/** A new start of kube-proxy on a node: it writes its rules again. */
export function restartProxy(snapshot: Snapshot, node: string): Fact['fixes'][number] {
  return { says: `kube-proxy of ${node} writes its rules again`, command: restartCommand(snapshot, [node]) }
}

/** The lines where rules were read. */
export function linesOf(all: readonly ({ readonly at?: ReadAt | undefined } | undefined)[]): string[] {
  return [...new Set(all.flatMap((one) => (one?.at === undefined ? [] : [`${one.at.file}:${one.at.line}`])))]
}

/** `a, b and 3 more` */
export function some(names: readonly string[], most = 3): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}
