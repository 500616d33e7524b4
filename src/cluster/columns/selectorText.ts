import type { LabelSelector } from '../types.js'

/** Labels as `k=v,k=v`, sorted; `<none>` when there are none. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}

/** A LabelSelector in the grammar of the API, sorted by key; `<none>` when it is empty. */
export function selectorText(selector: LabelSelector | undefined): string {
  const equal = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }))
  const other = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const set = `(${[...values].sort().join(',')})`
    const text = {
      In: `${key} in ${set}`,
      NotIn: `${key} notin ${set}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }
    return { key, text: text[operator] }
  })
  const all = [...equal, ...other].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return all.length === 0 ? '<none>' : all.map(({ text }) => text).join(',')
}

/** The first three of a list, and how many more there are; `<unset>` when it is empty. */
export function firstThree(values: readonly string[]): string {
  if (values.length === 0) return '<unset>'
  const more = values.length > 3 ? ` + ${values.length - 3} more...` : ''
  return values.slice(0, 3).join(',') + more
}
