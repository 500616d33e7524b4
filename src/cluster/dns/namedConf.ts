/** What `named` serves, and whom it asks. */
export interface NamedOptions {
  /** Absolute path of the folder that holds the files. */
  readonly folder: string
  /** Origins of its zones; the file of each is `namedZoneFile` of it. */
  readonly origins: readonly string[]
  /** Servers outside, for all other names; without any these are refused. */
  readonly forwarders: readonly string[]
}

/** Name of the file of a zone. */
export function namedZoneFile(origin: string): string {
  return `${origin}.zone`
}

/**
 * The configuration of BIND's named as the DNS server of a cluster: it serves the cluster's zones, follows an alias to
 * servers outside, and keeps nothing on the machine. (dnsmasq cannot do the second: the target of its `cname` has to be
 * known to itself, so that an ExternalName comes without an address.)
 */
export function namedConf({ folder, origins, forwarders }: NamedOptions): string {
  const list = (items: readonly string[]) => `{ ${items.map((item) => `${item}; `).join('')}}`
  const outside =
    forwarders.length === 0
      ? ['recursion no']
      : ['recursion yes', 'allow-recursion { any; }', 'forward only', `forwarders ${list(forwarders)}`]
  const options = [
    `directory "${folder}"`,
    ...['pid-file none', 'session-keyfile none', 'lock-file none'],
    ...['listen-on { any; }', 'listen-on-v6 { any; }', 'interface-interval 0'],
    'allow-query { any; }',
    ...outside,
    ...['dnssec-validation no', 'empty-zones-enable no', 'notify no', 'minimal-responses yes'],
    ...['max-cache-size 8m', 'version none', 'server-id none', 'hostname none'],
  ]
  return [
    ...['options {', ...options.map((option) => `  ${option};`), '};'],
    // no channel by which it is controlled, as every DNS server of every lab would want the same port
    'controls { };',
    ...origins.map((origin) => `zone "${origin}" { type primary; file "${namedZoneFile(origin)}"; };`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
