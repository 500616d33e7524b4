/** A record of a zone; names are absolute, in lower case, without the dot at the end. */
export type DnsRecord =
  | { readonly name: string; readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly name: string; readonly type: 'CNAME' | 'PTR'; readonly target: string }
  | { readonly name: string; readonly type: 'SRV'; readonly port: number; readonly target: string }
  | { readonly name: string; readonly type: 'TXT'; readonly text: string }

/** What a cluster's DNS server answers from. */
export interface DnsZone {
  /** The cluster's domain: names in it that do not exist, do not exist anywhere. */
  readonly origin: string
  readonly records: readonly DnsRecord[]
  /** Names that exist without a record of their own. */
  readonly emptyNames: readonly string[]
}
