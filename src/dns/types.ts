/** Types of records that are spoken of here, with their numbers on the wire (RFC 1035, 3596, 2782). */
export const typeNumbers = { A: 1, CNAME: 5, SOA: 6, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const

/** How a query ended (RFC 1035, 4.1.1). */
export const rcodes = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5 } as const

/** A query, its one question as asked. */
export interface DnsQuery {
  readonly id: number
  readonly opcode: number
  readonly recursionDesired: boolean
  /** As written by who asks, without the dot at the end. */
  readonly name: string
  readonly type: number
  readonly class: number
  /** Bytes that an answer over UDP may have; undefined without EDNS. */
  readonly udpSize: number | undefined
}

/** A record of an answer; `data` as text: an address, a name, the parts of an SRV or SOA record. */
export interface AnswerRecord {
  readonly name: string
  readonly type: keyof typeof typeNumbers
  /** Seconds. */
  readonly ttl: number
  readonly data: string
}

/** What is answered to a query. */
export interface DnsAnswer {
  readonly rcode: number
  readonly authoritative: boolean
  readonly answers: readonly AnswerRecord[]
  readonly authority: readonly AnswerRecord[]
}
