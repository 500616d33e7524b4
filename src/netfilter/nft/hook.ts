import type { NftHook } from './model.js'

/** Names of priorities (nft(8)), for the families ip, ip6 and inet. */
const priorities: Readonly<Record<string, number>> = {
  ...{ raw: -300, mangle: -150, dstnat: -100, filter: 0, security: 50, srcnat: 100 },
}

/** Reads `type nat hook output priority dstnat - 10; policy accept;`; undefined for other text. */
export function readHook(text: string): NftHook | undefined {
  const [, type, hook, devices, priority = ''] =
    /\btype (\S+) hook (\S+)(?: devices? (.+?))? priority ([^;]+?) ?(?:;|$)/.exec(text) ?? []
  if (type === undefined || hook === undefined) return undefined
  const [, name = '', sign = '', distance = '0'] = /^(-?\w+)(?: ([+-]) (\d+))?$/.exec(priority) ?? []
  const base = priorities[name] ?? Number(name)
  return {
    ...{ type, hook, priority: base + Number(`${sign}${distance}`) },
    ...(devices !== undefined && { devices: devices.match(/[^\s{},="]+/g) ?? [] }),
    policy: /\bpolicy drop\b/.test(text) ? 'drop' : 'accept',
  }
}
