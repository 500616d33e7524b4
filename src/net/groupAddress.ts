/** Whether several hosts have an address: multicast and broadcast, and what is reserved above 224.0.0.0. */
export function isGroupAddress(address: string): boolean {
  if (address.includes(':')) return address.startsWith('ff')
  // most addresses are shorter, or start with another digit: packets by the thousand are asked
  return address.length > 8 && address.charCodeAt(0) === 50 && Number.parseInt(address, 10) >= 224
}
