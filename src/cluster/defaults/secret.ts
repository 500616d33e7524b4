import type { Secret } from '../types.js'

/** Sets what a Secret leaves out; stringData is laid over data (Convert_v1_Secret_To_core_Secret). */
export function defaultSecret({ stringData, ...secret }: Secret): Secret {
  const written = Object.entries(stringData ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ])
  const data = { ...secret.data, ...(Object.fromEntries(written) as Record<string, string>) }
  return {
    ...secret,
    ...(Object.keys(data).length === 0 ? {} : { data }),
    type: secret.type === undefined || secret.type === '' ? 'Opaque' : secret.type,
  }
}
