import { integer, list, mark, range, text, word } from '../formats.js'
import { negatable, required, toggle, value, type Options } from '../option.js'

/** Matches on the state of the connection; iptables-extensions(8): conntrack, state, mark, connmark, helper, ipvs. */
export const connectionMatches = {
  conntrack: {
    ctstate: negatable(list),
    /** By number. */
    ctproto: negatable(integer),
    ctorigsrc: negatable(word),
    ctorigdst: negatable(word),
    ctreplsrc: negatable(word),
    ctrepldst: negatable(word),
    ctorigsrcport: negatable(range),
    ctorigdstport: negatable(range),
    ctreplsrcport: negatable(range),
    ctrepldstport: negatable(range),
    ctstatus: negatable(list),
    /** Seconds until the entry expires. */
    ctexpire: negatable(range),
    ctdir: value(word),
  },
  state: { state: required(negatable(list)) },
  mark: { mark: required(negatable(mark)) },
  connmark: { mark: required(negatable(mark)) },
  helper: { helper: required(negatable(text)) },
  ipvs: {
    ipvs: toggle,
    /** By number. */
    vproto: negatable(integer),
    vaddr: negatable(word),
    vport: negatable(integer),
    vdir: value(word),
    vmethod: negatable(word),
    vportctl: negatable(integer),
  },
} as const satisfies Readonly<Record<string, Options>>
