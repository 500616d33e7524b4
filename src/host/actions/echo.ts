import type { EchoReply } from '../../results/request.js'

const keys = ['pod', 'namespace', 'node', 'server', 'client'] as const

/** The echo server's answer, or undefined if another server answered. */
export function parseEcho(text: string): EchoReply | undefined {
  const line = text.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) return undefined
  try {
    const value = JSON.parse(line) as Record<string, unknown>
    return keys.every((key) => typeof value[key] === 'string') ? (value as unknown as EchoReply) : undefined
  } catch {
    return undefined
  }
}
