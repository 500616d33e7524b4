import type { Problem } from '../../errors.js'
import type { YamlFile } from '../file/readYaml.js'
import { valueAt } from '../file/explain.js'
import { ingressSchema, toIngress } from './schema.js'

/** Controllers without a proxy, or with two, and conflicting controllers; checks raw values. */
export function ingressProblems(file: YamlFile): Problem[] {
  const listed = valueAt(file.value, ['ingress'])
  const entries = Array.isArray(listed) ? (listed as unknown[]) : []
  return [...proxyProblems(entries, file), ...sharedNames(entries, file)]
}

/** Entries with neither or both of `proxy` and `command`. */
function proxyProblems(entries: readonly unknown[], { at }: YamlFile): Problem[] {
  return entries.flatMap((entry, index) => {
    if (typeof entry !== 'object' || entry === null) return []
    const written = ['proxy', 'command'].filter((key) => key in entry)
    if (written.length === 1) return []
    return [
      {
        message: `entry ${index + 1} of "ingress" has ${written.length === 0 ? 'neither' : 'both'} "proxy" ${
          written.length === 0 ? 'nor' : 'and'
        } "command"`,
        at: at(['ingress', index, ...written.slice(1)]),
        hint: 'write "proxy: nginx", "proxy: haproxy", or your own "command"',
      },
    ]
  })
}

/** Controllers with the same name or the same `controller`. */
function sharedNames(entries: readonly unknown[], { value, at }: YamlFile): Problem[] {
  const read = entries.map((entry) => {
    const parsed = ingressSchema.safeParse(entry, { jitless: true })
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
          hint: 'each controller needs its own name and controller',
        },
      ]
    }),
  )
}
