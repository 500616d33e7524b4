/** A name that is not taken: the name itself, else `name-2` and so on. */
export function unusedName(name: string, taken: readonly string[]): string {
  let unused = name
  for (let number = 2; taken.includes(unused); number++) unused = `${name}-${number}`
  return unused
}
