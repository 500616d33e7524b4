/** A rule of iptables in pieces between which a line may break: an option stays with its value. */
export function optionsOf(spec: string): string[] {
  return spec.split(/ (?=(?:! )?-)(?<!! )/)
}

/** True for the text of a rule of iptables; one of nft has no options. */
export function isOfIptables(spec: string): boolean {
  return /^(?:! )?-/.test(spec)
}
