/** A record of a zone; names are absolute, in lower case, without the trailing dot. */
export type DnsRecord =
  | { readonly name: string; readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly name: string; readonly type: 'CNAME' | 'PTR'; readonly target: string }
  | { readonly name: string; readonly type: 'SRV'; readonly port: number; readonly target: string }
  | { readonly name: string; readonly type: 'TXT'; readonly text: string }

/** The data of a cluster's DNS server. */
export interface DnsZone {
  /** The cluster's domain: the server is authoritative for it. */
  readonly origin: string
  readonly records: readonly DnsRecord[]
  /** Names that exist without a record. */
  readonly emptyNames: readonly string[]
}

/** The zones of a cluster's DNS server, and its upstream servers. */
export interface DnsServerConfig {
  /** Absolute path of the folder with the zone files. */
  readonly folder: string
  /** Origins of its zones; the file name of each is `zoneFileName(origin)`. */
  readonly origins: readonly string[]
  /** Upstream servers for all other names; without any, these queries are refused. */
  readonly forwarders: readonly string[]
}
