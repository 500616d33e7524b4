/**
 * Interface names by index, from `ip -o link show` (`2: eth0@if5: <BROADCAST,…`) or from lines `2 eth0`.
 * Other lines are ignored.
 */
export function parseInterfaces(text: string): Map<number, string> {
  const interfaces = new Map<number, string>()
  for (const line of text.split('\n')) {
    // A name may hold any character but `/` and white space; `@` starts the name of the other end.
    const match = /^\s*(\d+)(?::\s+|\s+)(\S+?)(?:@\S*?)?(?::\s.*|:?\s*)$/.exec(line)
    if (match?.[2] !== undefined) interfaces.set(Number(match[1]), match[2])
  }
  return interfaces
}
