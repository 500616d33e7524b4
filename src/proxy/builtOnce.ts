import type { IpFamily } from '../net/ipFamily.js'
import type { ProxyInput } from './input.js'

/** The function, which builds a value once for an input and a family: inputs do not change. */
export function builtOnce<Built>(
  build: (input: ProxyInput, family: IpFamily) => Built,
): (input: ProxyInput, family: IpFamily) => Built {
  const built = new WeakMap<ProxyInput, Map<IpFamily, Built>>()
  return (input, family) => {
    const families = built.get(input) ?? new Map<IpFamily, Built>()
    built.set(input, families)
    const known = families.get(family)
    if (known !== undefined) return known
    const value = build(input, family)
    families.set(family, value)
    return value
  }
}
