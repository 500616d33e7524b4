import { newToken, tokenHash } from '../../host/view/sessions.js'
import type { ClassRecord } from './classRecord.js'

/** The trainer, where links and sessions name who they belong to; no participant can have this name. */
export const trainer = ':trainer'

/** The trainer, where people read who it is. */
export const trainerName = 'trainer'

/** A participant with the token of a link. */
export interface Invited {
  readonly name: string
  readonly token: string
}

/** More links of one person are not kept: the oldest ends. */
const mostLinks = 10

/** A class without links. */
export function newClass(
  title: string,
  names: readonly string[],
  exercises: readonly string[] | undefined,
  now: number,
): ClassRecord {
  const record: ClassRecord = {
    ...{ title, startedAt: now, trainerLinks: [], participants: [], locked: [], messages: [] },
    ...(exercises === undefined ? {} : { exercises: [...exercises] }),
  }
  return withParticipants(record, names)
}

/** The class with a further link of a participant or of the trainer, and the token of the link. */
export function withLink(
  record: ClassRecord,
  who: string,
): { readonly record: ClassRecord; readonly token: string } {
  const token = newToken()
  const more = (links: readonly string[]) => [...links, tokenHash(token)].slice(-mostLinks)
  if (who === trainer) return { token, record: { ...record, trainerLinks: more(record.trainerLinks) } }
  const participants = record.participants.map((one) =>
    one.name === who ? { ...one, links: more(one.links) } : one,
  )
  return { token, record: { ...record, participants } }
}

/** The same for several participants. */
export function withLinks(
  record: ClassRecord,
  names: readonly string[],
): { readonly record: ClassRecord; readonly links: readonly Invited[] } {
  let now = record
  const links = names.map((name) => {
    const linked = withLink(now, name)
    now = linked.record
    return { name, token: linked.token }
  })
  return { record: now, links }
}

/** The class with further participants, who have no link yet. */
export function withParticipants(record: ClassRecord, names: readonly string[]): ClassRecord {
  return { ...record, participants: [...record.participants, ...names.map((name) => ({ name, links: [] }))] }
}

/** The class without the links of a participant. */
export function withoutLinks(record: ClassRecord, name: string): ClassRecord {
  const participants = record.participants.map((one) => (one.name === name ? { ...one, links: [] } : one))
  return { ...record, participants }
}

/** Who has a link whose token has this hash; undefined for none, and after the end of the class. */
export function linkHolder(record: ClassRecord, hash: string): string | undefined {
  if (record.endedAt !== undefined) return undefined
  if (record.trainerLinks.includes(hash)) return trainer
  return record.participants.find(({ links }) => links.includes(hash))?.name
}
