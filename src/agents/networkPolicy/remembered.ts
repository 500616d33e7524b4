/** A function that returns the same value for the same key, for as long as the key exists. */
export function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}
