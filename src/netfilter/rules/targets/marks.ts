import { hexadecimal, list, word, xmark } from '../formats.js'
import { flag, required, value, type Options } from '../option.js'

/** Targets that write marks, of the packet and of the connection; iptables-extensions(8): MARK, CONNMARK, CT, TCPMSS. */
export const markTargets = {
  MARK: { setXmark: required(value(xmark)) },
  CONNMARK: {
    setXmark: value(xmark),
    /** From the packet's mark to the connection's. */
    saveMark: flag,
    restoreMark: flag,
    nfmask: value(hexadecimal),
    ctmask: value(hexadecimal),
  },
  CT: {
    notrack: flag,
    helper: value(word),
    timeout: value(word),
    ctevents: value(list),
    expevents: value(list),
    /** A number, or `mark`. */
    zoneOrig: value(word),
    zoneReply: value(word),
    zone: value(word),
  },
} as const satisfies Readonly<Record<string, Options>>
