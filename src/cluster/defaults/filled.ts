import { canonicalJson } from '../hash.js'

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>

/** An object with the fields that it does not have. */
export function filled<Of extends object>(object: Of, defaults: Fields): Of {
  const missing = Object.entries(defaults).filter(([key]) => (object as Fields)[key] === undefined)
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) }
}

/** An object without the fields that have these values: the inverse of `filled`. */
export function emptied<Of extends object>(object: Of, defaults: Fields): Of {
  const isDefault = ([key, value]: [string, unknown]) =>
    key in defaults && canonicalJson(value) === canonicalJson(defaults[key])
  return Object.fromEntries(Object.entries(object).filter((entry) => !isDefault(entry))) as Of
}
