import { hostText } from '../../../net/hostText.js'
import { dashedRange, word, type Range } from '../formats.js'
import { flag, required, value, type Format, type Options } from '../option.js'

/** Target of NAT: a range of addresses, of ports, or both. */
export interface NatRange {
  readonly addresses?: { readonly first: string; readonly last: string }
  readonly ports?: Range
  /** The port that the first of `ports` stands for (`--to-destination :2000-2010/1000`). */
  readonly basePort?: number
}

const natRange: Format<NatRange> = { words: 1, read: readNatRange, print: printNatRange }

/** Reads `10.244.1.5:80`, `[fd00::5]:80`, `10.0.0.1-10.0.0.9:8000-8080`, `:80`. */
export function readNatRange(text: string): NatRange {
  const [, host = text, spread = '', base] = /^(\[.*\]|[^:]*):([\d-]+)(?:\/(\d+))?$/.exec(text) ?? []
  const [first = '', last = first] = host.replace(/[[\]]/g, '').split('-')
  const ports = dashedRange.read(spread, '')
  return {
    ...(first === '' ? {} : { addresses: { first, last } }),
    ...(ports === undefined ? {} : { ports }),
    ...(base === undefined ? {} : { basePort: Number(base) }),
  }
}

/** The text that `readNatRange` reads. */
export function printNatRange({ addresses, ports, basePort }: NatRange): string {
  const host = addresses === undefined ? '' : addressText(addresses)
  if (ports === undefined) return host
  const base = basePort === undefined ? '' : `/${basePort}`
  return `${hostText(host)}:${dashedRange.print(ports)}${base}`
}

function addressText({ first, last }: { readonly first: string; readonly last: string }): string {
  return first === last ? first : `${first}-${last}`
}

/** Targets that translate addresses; iptables-extensions(8): DNAT, SNAT, MASQUERADE, REDIRECT, NETMAP. */
export const natTargets = {
  DNAT: { toDestination: required(value(natRange)), random: flag, persistent: flag },
  SNAT: { toSource: required(value(natRange)), random: flag, randomFully: flag, persistent: flag },
  MASQUERADE: { toPorts: value(dashedRange), random: flag, randomFully: flag },
  /** To the address of the incoming interface; for the node's own packets, to 127.0.0.1. */
  REDIRECT: { toPorts: value(dashedRange), random: flag },
  /** Moves addresses to another network of this size, and keeps the rest of their bits: `10.2.0.0/24`. */
  NETMAP: { to: required(value(word)) },
} as const satisfies Readonly<Record<string, Options>>
