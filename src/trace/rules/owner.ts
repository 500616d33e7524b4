import type { Match } from '../../netfilter/rules/model.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import type { StatedSender } from '../../snapshot/model/packet.js'
import { no, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** Who has sent a packet on this host: no one where it is forwarded, the kernel itself, or a program. */
export type Sender =
  | { readonly kind: 'none' | 'kernel' }
  | {
      readonly kind: 'program'
      readonly ids: StatedSender
      readonly whose: string
    }

/** The socket that rules see of a packet (owner_mt and nft_meta_get_eval_skugid of Linux). */
export function senderOf({ packet, isSent }: Seen): Sender {
  if (!isSent) return { kind: 'none' }
  const { kind, protocol, sender = {}, inner } = packet
  if (inner !== undefined) return { kind: 'program', ids: {}, whose: 'of what is in the tunnel' }
  if (kind === 'error' || kind === 'reset' || (kind === 'answer' && protocol === 'icmp'))
    return { kind: 'kernel' }
  if (kind === 'answer') return { kind: 'program', ids: {}, whose: 'of the program that answers' }
  return { kind: 'program', ids: sender, whose: 'of the program that calls' }
}

/** What is not known of a sender, and how to state it. */
export function unstated(name: 'uid' | 'gid', whose: string): string {
  const how = whose.endsWith('calls') ? `: state it with --${name} N` : ''
  return `the rule asks for the ${name} ${whose}, which is not known${how}`
}

/** The match owner: `--uid-owner 1000`, `--uid-owner 0-99`. */
export function owner(match: Extract<Match, { readonly kind: 'owner' }>, seen: Seen): Answer {
  const { socketExists, uidOwner, gidOwner, supplGroups } = match
  const sender = senderOf(seen)
  const asked = [
    ['uid', uidOwner],
    ['gid', gidOwner],
  ] as const
  // what has no socket, or no program, has no owner: negated conditions hold
  if (sender.kind !== 'program') {
    const isSo = asked.every(([, field]) => field === undefined || field.negated === true)
    const hasSocket = socketExists === undefined || (sender.kind === 'none') !== socketExists
    if (sender.kind === 'kernel' && socketExists !== undefined && seen.packet.kind === 'reset')
      return unknown('whether a reset has a socket is not predicted')
    const because = sender.kind === 'none' ? 'no program of this host has sent it' : 'the kernel has sent it'
    return isSo && hasSocket ? yes : no(because)
  }
  if (socketExists === false) return no('a program of this host has sent it')
  let open: Answer = yes
  for (const [name, field] of asked) {
    if (field === undefined) continue
    const answer = ofId(name, field, sender.ids[name], sender.whose, supplGroups === true)
    if (answer.holds === 'no') return answer
    if (answer.holds === 'unknown') open = answer
  }
  return open
}

function ofId(
  name: 'uid' | 'gid',
  field: Negatable<string>,
  own: number | undefined,
  whose: string,
  hasGroups: boolean,
): Answer {
  if (own === undefined) return unknown(unstated(name, whose))
  const range = idsOf(field.value)
  if (range === undefined) return unknown(`${field.value} is not a number`)
  const isIn = own >= range.first && own <= range.last
  if (name === 'gid' && hasGroups && !isIn) return unknown('its other groups are not known')
  return said(field, isIn, `its ${name} is ${own}`)
}

function idsOf(text: string): Range | undefined {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last) }
}
