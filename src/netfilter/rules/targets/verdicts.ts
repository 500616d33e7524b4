import { integer, text, word } from '../formats.js'
import { flag, required, value, type Options } from '../option.js'

/** Targets that decide, and those that only report; iptables-extensions(8): REJECT, LOG, NFLOG, AUDIT, TRACE, TCPMSS, NOTRACK. */
export const verdictTargets = {
  ACCEPT: {},
  DROP: {},
  RETURN: {},
  QUEUE: {},
  NOTRACK: {},
  TRACE: {},
  REJECT: { rejectWith: required(value(word)) },
  LOG: {
    logPrefix: value(text),
    /** Of syslog; 4, a warning, is not printed. */
    logLevel: value(integer),
    logTcpSequence: flag,
    logTcpOptions: flag,
    logIpOptions: flag,
    logUid: flag,
    logMacdecode: flag,
  },
  NFLOG: {
    nflogPrefix: value(text),
    nflogGroup: value(integer),
    nflogRange: value(integer),
    nflogSize: value(integer),
    nflogThreshold: value(integer),
  },
  AUDIT: { type: required(value(word)) },
  /** The maximum segment size: a number, or the path MTU's. */
  TCPMSS: { setMss: value(integer), clampMssToPmtu: flag },
} as const satisfies Readonly<Record<string, Options>>
