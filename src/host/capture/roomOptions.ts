/**
 * How much of a packet tcpdump keeps, in bytes, and the size of its buffer in KiB: headers and the start of the payload, the heads
 * of requests too, or all that fits in a page. The buffers have room for 4,000 packets and more, because a busy host lets
 * tcpdump wait: a step of 100 requests may be over before it runs again. Without `-s` they would have room for 16.
 */
export const roomOptions = {
  headers: ['-s', '256', '-B', '4096'],
  requests: ['-s', '1900', '-B', '8192'],
  whole: ['-s', '3900', '-B', '16384'],
} as const
