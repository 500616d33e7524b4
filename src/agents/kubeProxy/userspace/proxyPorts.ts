/** A range of ports, both ends in it. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/**
 * Range of kube-proxy's own ports if portRange is empty: it avoids node ports and ephemeral
 * ports. In kube-proxy the kernel chooses; a printable plan must know the ports in advance.
 */
export const usualProxyPorts: PortRange = { first: 20000, last: 29999 }

/** `300-2000`, `300+1700` or `300`; undefined if invalid. Mirrors ParsePortRange. */
export function parsePortRange(text: string): PortRange | undefined {
  const [, from = '', sign, to = ''] = /^\s*(\d+)\s*(?:([-+])\s*(\d+)\s*)?$/.exec(text) ?? []
  const first = from === '' ? NaN : Number(from)
  const last = sign === undefined ? first : sign === '-' ? Number(to) : first + Number(to)
  return first >= 1 && last >= first && last <= 65535 ? { first, last } : undefined
}

/** The next free port after `after`, wrapping around; undefined if none is free. */
export function nextProxyPort(
  { first, last }: PortRange,
  after: number,
  taken: (port: number) => boolean,
): number | undefined {
  const count = last - first + 1
  const start = after >= first && after <= last ? after + 1 - first : 0
  for (let step = 0; step < count; step++) {
    const port = first + ((start + step) % count)
    if (!taken(port)) return port
  }
  return undefined
}
