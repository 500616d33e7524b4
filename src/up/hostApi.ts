import { securePortOf } from '../host/kubeApi/securePort.js'
import { apiUrl } from '../host/kubeProxy/apiAddress.js'
import { startForward, type RunningForward } from '../host/forward/startForward.js'
import { apiHost, apiPort } from '../lab/plan/kubeApiAddress.js'
import type { RunningLab } from '../lab/up/runningLab.js'

/** Where clients of the host reach the API of a lab; no other host does. */
const hostAddress = '127.0.0.1'

/**
 * Serves the API of a running lab on a free port of the host's 127.0.0.1, from the first call until the lab ends; each call returns
 * the kubeconfig for it. The connections end in the sandbox: the lab's API server has the certificate, and requires the token.
 */
export function createHostApi({ sandbox, prepared, api }: RunningLab): () => Promise<string> {
  let started: Promise<RunningForward> | undefined
  const target = {
    name: 'the API server',
    ...{ address: apiHost(prepared), port: securePortOf(apiPort) },
  }
  const start = async (): Promise<RunningForward> => {
    const forward = await startForward(sandbox, {
      ...{ address: hostAddress, forwards: [{ localPort: 0, target }] },
      // the client sees that its connection ends
      onFailure: () => undefined,
    })
    // if its process is killed, the next call starts another
    void forward.ended.then(() => (started = undefined))
    return forward
  }
  return async () => {
    if (api === undefined) throw new Error('this lab has no API server')
    started ??= start().catch((error: unknown) => {
      started = undefined
      throw error
    })
    const [port = 0] = (await started).ports
    return api.kubeconfigAt(apiUrl(hostAddress, port, 'https'), `vethlab-${prepared.lab.name}`)
  }
}
