/**
 * Options for how long iptables of the backend legacy waits for its lock, in seconds, as kube-proxy sets them. The lock is
 * one file for all network namespaces of a sandbox; the backend nft has none and ignores them.
 */
export const lockWait: readonly string[] = ['-w', '5']

/** The same for the rules with which nodes start: all nodes and families write theirs at once. */
export const longLockWait: readonly string[] = ['-w', '60']
