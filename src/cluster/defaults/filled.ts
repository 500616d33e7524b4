/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>

/** An object with the fields that it does not have. */
export function filled<Of extends object>(object: Of, defaults: Fields): Of {
  const missing = Object.entries(defaults).filter(([key]) => (object as Fields)[key] === undefined)
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) }
}
