import { integer, probability, rate, spacedName, word } from '../formats.js'
import { flag, negatable, required, toggle, value, type Format, type Options } from '../option.js'

/** A set by name, and which of the packet's fields are looked up in it: `dst,dst`. */
export interface SetReference {
  readonly name: string
  readonly fields: readonly string[]
}

const setReference: Format<SetReference> = {
  words: 2,
  read: (name, fields) => ({ name, fields: fields.split(',') }),
  print: ({ name, fields }) => `${name} ${fields.join(',')}`,
}

/** Matches that count, choose or keep state; iptables-extensions(8): statistic, quota, connlimit, limit, hashlimit, recent, set, nfacct. */
export const countingMatches = {
  statistic: {
    /** `random` or `nth` */
    mode: required(value(word)),
    probability: negatable(probability),
    every: negatable(integer),
    packet: value(integer),
  },
  /** Bytes that it matches in all. */
  quota: { quota: required(negatable(integer)) },
  /** Connections that have met the rule, of a network of clients or servers. */
  connlimit: {
    connlimitUpto: value(integer),
    connlimitAbove: value(integer),
    connlimitMask: value(integer),
    connlimitSaddr: flag,
    connlimitDaddr: flag,
  },
  limit: { limit: required(value(rate)), limitBurst: value(integer) },
  hashlimit: {
    /** `5/min`, `512kb/s` */
    hashlimitUpto: value(word),
    hashlimitAbove: value(word),
    hashlimitBurst: value(word),
    hashlimitMode: value(word),
    hashlimitName: required(value(word)),
    hashlimitHtableSize: value(integer),
    hashlimitHtableMax: value(integer),
    /** Milliseconds. */
    hashlimitHtableGcinterval: value(integer),
    hashlimitHtableExpire: value(integer),
    /** Prefix lengths. */
    hashlimitSrcmask: value(integer),
    hashlimitDstmask: value(integer),
    hashlimitRateMatch: flag,
    hashlimitRateInterval: value(integer),
  },
  recent: {
    set: toggle,
    rcheck: toggle,
    update: toggle,
    remove: toggle,
    seconds: value(integer),
    reap: flag,
    hitcount: value(integer),
    rttl: flag,
    name: value(word),
    mask: value(word),
    rsource: flag,
    rdest: flag,
  },
  set: {
    matchSet: required(negatable(setReference)),
    returnNomatch: flag,
    updateCounters: toggle,
    updateSubcounters: toggle,
    packetsEq: negatable(integer),
    packetsLt: value(integer),
    packetsGt: value(integer),
    bytesEq: negatable(integer),
    bytesLt: value(integer),
    bytesGt: value(integer),
  },
  /** Counts in an accounting object of nfacct(8). */
  nfacct: { nfacctName: required(value(spacedName)) },
} as const satisfies Readonly<Record<string, Options>>
