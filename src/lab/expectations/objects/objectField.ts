/**
 * The path of a field: `spec.ports[0].nodePort`, `metadata.labels['a/b']`, or an item of a list by one of its fields:
 * `status.conditions[type=Accepted].reason`.
 */
export const fieldPattern = /^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*|\[\d+\]|\['[^']+'\]|\[[A-Za-z]\w*=[^\][]+\])*$/

/** The value of a field; undefined if there is no such field. */
export function fieldOf(object: unknown, field: string): unknown {
  const steps = field.match(/\[[^'\]][^\]]*\]|'[^']+'|[\w-]+/g) ?? []
  return steps.reduce(inside, object)
}

function inside(outer: unknown, step: string): unknown {
  const [, key = '', value = ''] = /^\[(\w+)=(.*)\]$/.exec(step) ?? []
  if (key !== '')
    return Array.isArray(outer) ? outer.find((one) => String(member(one, key)) === value) : undefined
  return member(outer, step.replaceAll(/^[['](.*)[\]']$/g, '$1'))
}

function member(outer: unknown, key: string): unknown {
  return typeof outer === 'object' && outer !== null && Object.hasOwn(outer, key)
    ? outer[key as never]
    : undefined
}
