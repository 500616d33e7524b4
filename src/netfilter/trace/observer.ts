/** The hooks of netfilter that a packet of IP can pass, in the words of nft. */
export const observedHooks = ['prerouting', 'input', 'forward', 'output', 'postrouting'] as const

/** A hook of `observedHooks`. */
export type ObservedHook = (typeof observedHooks)[number]

/** The table whose chains make the kernel report packets before and after the rules of others; of family inet. */
export const observerTable = 'vethlab-observe'

/** The name of the observer’s first or last chain at a hook. */
export function observerChain(hook: ObservedHook, end: 'first' | 'last'): string {
  return `${hook}-${end}`
}

/** The hook and the end of an observer’s chain; undefined for other names. */
export function observerChainOf(
  chain: string,
): { readonly hook: ObservedHook; readonly end: 'first' | 'last' } | undefined {
  const [name, end] = chain.split('-')
  const hook = observedHooks.find((one) => one === name)
  return hook !== undefined && (end === 'first' || end === 'last') ? { hook, end } : undefined
}
