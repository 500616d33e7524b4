import { readFileSync } from 'node:fs'

/** A port on which a process may listen. */
export interface ListeningPort {
  readonly port: number
  readonly protocol: string
}

/** States in /proc/net: a TCP socket that listens, a UDP socket that is bound and not connected. */
const states = { TCP: '0A', UDP: '07' } as const

/** Whether something listens on all of these in the network namespace of a process, by its folder under /proc. */
export function listensOn(procFolder: string, ports: readonly ListeningPort[]): boolean {
  const open = new Map(
    (['TCP', 'UDP'] as const).map((protocol) => [protocol as string, openPorts(procFolder, protocol)]),
  )
  return ports.every(({ port, protocol }) => open.get(protocol)?.has(port) ?? true)
}

function openPorts(procFolder: string, protocol: 'TCP' | 'UDP'): Set<number> {
  const name = protocol.toLowerCase()
  const text = readOr(`${procFolder}/net/${name}`) + readOr(`${procFolder}/net/${name}6`)
  const lines = text.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ ([0-9A-F]{2}) /gm)
  const ports = [...lines].filter((match) => match[2] === states[protocol])
  return new Set(ports.map((match) => parseInt(match[1] ?? '', 16)))
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
