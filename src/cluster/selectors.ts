import type { LabelSelector } from './types.js'

type Labels = Readonly<Record<string, string>>

/** True when the labels contain every pair of the selector (a Service's selector, a nodeSelector). */
export function matchesLabels(selector: Labels, labels: Labels | undefined): boolean {
  for (const key in selector) if (labelValue(labels, key) !== selector[key]) return false
  return true
}

/** True when the labels satisfy matchLabels and matchExpressions; an empty selector matches everything. */
export function matchesSelector(selector: LabelSelector, labels: Labels | undefined): boolean {
  return (
    matchesLabels(selector.matchLabels ?? {}, labels) &&
    (selector.matchExpressions ?? []).every((expression) => {
      const value = labelValue(labels, expression.key)
      const listed = value !== undefined && (expression.values ?? []).includes(value)
      switch (expression.operator) {
        case 'In':
          return listed
        case 'NotIn':
          return !listed
        case 'Exists':
          return value !== undefined
        case 'DoesNotExist':
          return value === undefined
      }
    })
  )
}

/** True when a LabelSelector has neither pairs nor expressions. */
export function isEmptySelector(selector: LabelSelector): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0
  )
}

// A label may be named "constructor": only own properties count.
function labelValue(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
}
