/** An IP address and, for TCP, UDP and SCTP, a port. IPv6 in RFC 5952 form, without brackets. */
export interface SocketAddress {
  readonly address: string
  readonly port?: number
}
