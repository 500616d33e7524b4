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

/** What a DNS server of a cluster serves, and whom it asks. */
export interface DnsServerConfig {
  /** Absolute path of the folder that holds the zone files. */
  readonly folder: string
  /** Origins of its zones; the file of each is `zoneFileName` of it. */
  readonly origins: readonly string[]
  /** Servers outside, for all other names; without any these are refused. */
  readonly forwarders: readonly string[]
}
