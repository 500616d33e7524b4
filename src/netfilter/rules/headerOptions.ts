import { word } from './formats.js'
import { negatable, toggle, type Options } from './option.js'

/** What a rule matches without an extension, in the order in which iptables-save prints it; see iptables(8). */
export const headerOptions = {
  /** With its prefix length, `10.244.0.0/16`; a mask where the bits have gaps. */
  source: negatable(word),
  destination: negatable(word),
  /** `+` at the end stands for any characters. */
  inInterface: negatable(word),
  outInterface: negatable(word),
  /** A name of /etc/protocols, or a number. */
  protocol: negatable(word),
  /** Second and further fragments of IPv4 packets. */
  fragment: toggle,
} as const satisfies Options

/** The letters of `headerOptions`. */
export const headerFlags: Readonly<Record<keyof typeof headerOptions, string>> = {
  source: '-s',
  destination: '-d',
  inInterface: '-i',
  outInterface: '-o',
  protocol: '-p',
  fragment: '-f',
}
