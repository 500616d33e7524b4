import { canonicalJson } from './hash.js'
import type { EndpointAddress, EndpointPort, EndpointSubset } from './types.js'

/** An address with its state; one that is in both lists is not ready. */
interface Found {
  readonly address: EndpointAddress
  isReady: boolean
}

/** Subsets in which no port and address occur twice: ports with the same addresses are one subset (RepackSubsets). */
export function repackSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const ofPort = new Map<string, { port: EndpointPort | undefined; found: Map<string, Found> }>()
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    // Addresses without ports are those of a headless Service without ports.
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = canonicalJson(port ?? null)
      const entry = ofPort.get(key) ?? { port, found: new Map<string, Found>() }
      ofPort.set(key, entry)
      for (const address of addresses) addFound(entry.found, address, true)
      for (const address of notReadyAddresses) addFound(entry.found, address, false)
    }
  }
  const packed = new Map<string, { ports: EndpointPort[]; found: readonly Found[] }>()
  for (const { port, found } of ofPort.values()) {
    if (found.size === 0) continue
    const sorted = [...found.values()].sort((a, b) => (a.address.ip < b.address.ip ? -1 : 1))
    const key = JSON.stringify(sorted)
    const entry = packed.get(key) ?? { ports: [], found: sorted }
    if (port !== undefined) entry.ports.push(port)
    packed.set(key, entry)
  }
  return [...packed.values()].map(({ ports, found }) => {
    const ofState = (isReady: boolean) =>
      found.filter((one) => one.isReady === isReady).map(({ address }) => address)
    const [ready, notReady] = [ofState(true), ofState(false)]
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports }),
    }
  })
}

function addFound(found: Map<string, Found>, address: EndpointAddress, isReady: boolean): void {
  const key = canonicalJson([address.ip, address.targetRef?.uid ?? ''])
  const known = found.get(key)
  if (known === undefined) found.set(key, { address, isReady })
  else known.isReady &&= isReady
}
