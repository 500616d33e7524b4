import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { callApi } from '../../host/kubeApi/callApi.js'
import { HttpError } from '../../host/view/httpError.js'
import type { Route } from '../../host/view/routes.js'
import { apiTarget } from '../../up/api.js'
import type { UpLab } from '../../up/upLab.js'

const reads = ['GET']
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The limit of the API server itself. */
const mostBytes = 3 * 2 ** 20

/** The lab’s Kubernetes API below a path: the same methods, bodies and answers; without `exec` and other upgrades. */
export function kubernetesRoute(up: UpLab, path: string, readOnly: boolean): Route {
  return {
    ...{ method: '*', path: `${path}/*`, mostBytes },
    async answer({ method, rest, headers, signal, body }) {
      if (readOnly && writes.includes(method)) throw new HttpError(403, 'this page changes no objects')
      if (![...reads, ...writes].includes(method)) throw new HttpError(405, `no method ${method}`)
      const call = { ...apiTarget(up, rest), method, headers, body: await body() }
      return callApi(joinSandbox(up.pid, up.rootless), call, signal)
    },
  }
}
