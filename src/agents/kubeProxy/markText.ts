/** A mark as kube-proxy and nft write it: at least 8 hexadecimal digits. */
export function markText(mark: number): string {
  return `0x${mark.toString(16).padStart(8, '0')}`
}
