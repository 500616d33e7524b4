import { timingSafeEqual } from 'node:crypto'
import type { ResourceRoute } from '../route.js'
import { StatusError } from '../status.js'
import { verbOf } from './verb.js'

/**
 * Requires the bearer token of the kubeconfig: 403 for a request without credentials, 401 for another token, in the
 * words of the API server. There are no roles: who has the token may write everything.
 */
export function authorize(
  header: string | undefined,
  token: string,
  method: string,
  { resource, namespace, name, subresource }: ResourceRoute,
): void {
  if (header === undefined) {
    const { group, plural } = resource
    const what = subresource === undefined ? plural : `${plural}/${subresource}`
    const qualified = group === '' ? plural : `${plural}.${group}`
    const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
    const object = name === undefined ? '' : ` "${name}"`
    throw new StatusError(
      403,
      'Forbidden',
      `${qualified}${object} is forbidden: User "system:anonymous" cannot ${verbOf(method, name)} resource "${what}" in API group "${group}" ${scope}`,
      { ...(name === undefined ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural },
    )
  }
  const given = Buffer.from(/^Bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? '')
  const wanted = Buffer.from(token)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new StatusError(401, 'Unauthorized', 'Unauthorized')
}
