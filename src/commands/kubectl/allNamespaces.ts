import { InputError } from '../../errors.js'

/** Throws InputError, as kubectl does, if objects of all namespaces are requested by their names. */
export function rejectNames(
  kinds: readonly string[],
  names: readonly string[],
  { allNamespaces }: { readonly allNamespaces?: boolean },
): void {
  if (allNamespaces !== true || (names.length === 0 && !kinds.some((kind) => kind.includes('/')))) return
  throw new InputError([
    {
      message: 'a resource cannot be retrieved by name across all namespaces',
      hint: 'name its namespace with -n instead of -A',
    },
  ])
}
