import type { Problem } from '../../errors.js'
import type { YamlFile } from '../readYaml.js'
import { valueAt } from '../explain.js'
import { ingressSchema, toIngress } from './schema.js'

/** Controllers that would get in each other's way: of one name, or that answer to one `controller`; looks at raw values. */
export function ingressProblems({ value, at }: YamlFile): Problem[] {
  const entries = valueAt(value, ['ingress'])
  const read = (Array.isArray(entries) ? (entries as unknown[]) : []).map((entry) => {
    const parsed = ingressSchema.safeParse(entry)
    return parsed.success ? toIngress(parsed.data) : undefined
  })
  return read.flatMap((spec, index) =>
    (['name', 'controller'] as const).flatMap((key) => {
      const first = read
        .slice(0, index)
        .findIndex((other) => other !== undefined && other[key] === spec?.[key])
      if (spec === undefined || first < 0) return []
      const isWritten = valueAt(value, ['ingress', index, key]) !== undefined
      return [
        {
          message: `entry ${index + 1} of "ingress" has the ${key} "${spec[key]}" of entry ${first + 1}`,
          at: at(['ingress', index, ...(isWritten ? [key] : [])]),
          hint: 'each controller needs a name and a controller of its own',
        },
      ]
    }),
  )
}
