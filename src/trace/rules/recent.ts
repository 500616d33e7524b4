import type { Match } from '../../netfilter/rules/model.js'
import { no, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

type RecentMatch = Extract<Match, { readonly kind: 'recent' }>

/** Looks for an address in a list, and changes the list (recent_mt of Linux). */
export function recent(match: RecentMatch, { packet, state }: Seen): Answer {
  const list = match.name ?? 'DEFAULT'
  const { address } = match.rdest === true ? packet.destination : packet.source
  const lists = state?.recent
  if (lists === undefined) return unknown('its list is not predicted')
  const doubt = () => void lists.doubt(list)
  const add = { apply: () => void lists.add(list, address), doubt }
  const hasMask = match.mask !== undefined && !/^(255\.){3}255$|^(ffff:){7}ffff$/.test(match.mask)
  if (hasMask) {
    const effect = { apply: doubt, doubt }
    if (match.set !== undefined) return { ...(match.set ? yes : no('! --set')), effect }
    if (!lists.hasSome(list) && !lists.isUnsure(list)) return notListed(match)
    return { ...unknown(`networks in the list ${list} are not predicted`), effect }
  }
  if (match.set !== undefined) return { ...(match.set ? yes : no('! --set')), effect: add }
  const found = lookUp(match, lists, list, address)
  if (match.remove !== undefined) {
    const effect = { apply: () => void lists.remove(list, address), doubt }
    return found.holds === 'no' ? found : { ...found, effect }
  }
  return match.update !== undefined && found.holds !== 'no' ? { ...found, effect: add } : found
}

function lookUp(
  match: RecentMatch,
  lists: NonNullable<Seen['state']>['recent'],
  list: string,
  address: string,
): Answer {
  const { rcheck, update, remove, hitcount = 1, seconds, rttl } = match
  const isAsked = { value: '', ...((rcheck ?? update ?? remove) === false && { negated: true as const }) }
  if (lists.isUnsure(list)) return unknown(`whether ${address} was added to the list`)
  const hits = lists.hits(list, address)
  const isEarlier = lists.isEarlier(list, address)
  if (hits === 0 && !isEarlier) return notListed(match)
  if (rttl === true) return unknown(`${address} is in the list; its time to live is not predicted`)
  const isFound = remove !== undefined || hits >= hitcount || (seconds === undefined && hitcount <= 1)
  if (isFound) return said(isAsked, true, `${address} is in the list`)
  if (isEarlier) return unknown(`${address} is in the list; how long ago it came is not predicted`)
  return said(isAsked, false, `${address} is in the list ${hits === 1 ? 'once' : `${hits} times`}`)
}

function notListed({ rcheck, update, remove }: RecentMatch): Answer {
  const isNegated = (rcheck ?? update ?? remove) === false
  const asked = { value: '', ...(isNegated && { negated: true as const }) }
  return said(asked, false, 'no earlier packet from this address')
}
