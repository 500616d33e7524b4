import { isRecord, records, text } from '../manifests/loose.js'
import { volumeSources } from '../schema/volume.js'
import { duplicate, forbidden, invalid, required } from './fieldErrors.js'
import type { FieldError, Path } from './fieldErrors.js'
import { fieldRef, fileFields, resourceFieldRef } from './env.js'
import { dnsLabel } from './formats.js'
import { all, each, fields, filled, formatted, number, supported, type Rule } from './rules.js'

const mode = number(
  (value) => value >= 0 && value <= 0o777,
  'must be a number between 0 and 0777 (octal), both inclusive',
)

const filePath: Rule = (path, value) => {
  const name = text(value)
  const reserved = name.startsWith('..') && !name.startsWith('../') && name !== '..'
  return [...localPath(path, name), ...(reserved ? [invalid(path, name, "must not start with '..'")] : [])]
}

const items = each(fields({ key: filled(), path: all(filled(), filePath), mode }))

const atPath = fields({ path: all(filled(), filePath) })
const fileMode = fields({ mode })
const fileFieldRef = fieldRef(fileFields)
const fileResource = resourceFieldRef(true)

const downwardItems = each((path, item) => {
  if (!isRecord(item)) return []
  const { fieldRef: field, resourceFieldRef: resource } = item
  const source =
    field !== undefined
      ? [
          ...fileFieldRef([...path, 'fieldRef'], field),
          ...(resource === undefined
            ? []
            : [
                invalid(
                  path,
                  'resource',
                  'fieldRef and resourceFieldRef can not be specified simultaneously',
                ),
              ]),
        ]
      : resource !== undefined
        ? fileResource([...path, 'resourceFieldRef'], resource)
        : [required(path, 'one of fieldRef and resourceFieldRef is required')]
  return [...atPath(path, item), ...source, ...fileMode(path, item)]
})

const tokenSeconds: Rule = all(
  number((value) => value >= 600, 'may not specify a duration less than 10 minutes'),
  number((value) => value <= 2 ** 32, 'may not specify a duration larger than 2^32 seconds'),
)

/** The sources of a projected volume. */
const projections: Readonly<Record<string, Rule>> = {
  secret: fields({ name: filled(), items }),
  configMap: fields({ name: filled(), items }),
  downwardAPI: fields({ items: downwardItems }),
  serviceAccountToken: fields({ expirationSeconds: tokenSeconds, path: all(filled(), filePath) }),
}

const sources: Readonly<Record<string, Rule>> = {
  emptyDir: (path, value) =>
    isRecord(value) && text(value['sizeLimit']).startsWith('-')
      ? [forbidden([...path, 'sizeLimit'], 'SizeLimit field must be a valid resource quantity')]
      : [],
  hostPath: fields({
    path: all(filled(), (path, value) => withoutBacksteps(path, text(value))),
    type: supported([
      ...[
        '',
        'BlockDevice',
        'CharDevice',
        'Directory',
        'DirectoryOrCreate',
        'File',
        'FileOrCreate',
        'Socket',
      ],
    ]),
  }),
  secret: fields({ secretName: filled(), defaultMode: mode, items }),
  persistentVolumeClaim: fields({ claimName: filled() }),
  downwardAPI: fields({ defaultMode: mode, items: downwardItems }),
  configMap: fields({ name: filled(), defaultMode: mode, items }),
  projected: fields({
    defaultMode: mode,
    sources: each((path, source) =>
      isRecord(source)
        ? oneSource(path, source, Object.keys(source), projections, 'volume type per source')
        : [],
    ),
  }),
}

const volumeName = fields({ name: all(filled(), formatted(dnsLabel)) })

/** Validates the volumes of a pod (ValidateVolumes); the names are those of the valid volumes. */
export function validateVolumes(path: Path, volumes: unknown): { errors: FieldError[]; names: Set<string> } {
  const names = new Set<string>()
  const errors = records(volumes).flatMap((volume, index) => {
    const at = [...path, index]
    const name = text(volume['name'])
    const found = [
      ...oneSource(at, volume, volumeSources, sources, 'volume type'),
      ...volumeName(at, volume),
      ...(names.has(name) ? [duplicate([...at, 'name'], name)] : []),
    ]
    if (found.length === 0) names.add(name)
    return found
  })
  return { errors, names }
}

/** Validates the first of several sources, and rejects the others. */
function oneSource(
  path: Path,
  written: Readonly<Record<string, unknown>>,
  kinds: readonly string[],
  rules: Readonly<Record<string, Rule>>,
  what: string,
): FieldError[] {
  const [first, ...more] = kinds.filter((kind) => written[kind] !== undefined)
  return [
    ...(first === undefined ? [] : (rules[first]?.([...path, first], written[first]) ?? [])),
    ...more.map((kind) => forbidden([...path, kind], `may not specify more than 1 ${what}`)),
  ]
}

/** A path inside the volume (validateLocalDescendingPath). */
export function localPath(path: Path, value: string): FieldError[] {
  return [
    ...(value.startsWith('/') ? [invalid(path, value, 'must be a relative path')] : []),
    ...withoutBacksteps(path, value),
  ]
}

function withoutBacksteps(path: Path, value: string): FieldError[] {
  return value.split('/').includes('..') ? [invalid(path, value, "must not contain '..'")] : []
}
