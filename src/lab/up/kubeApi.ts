import { release } from 'node:os'
import { clusterObjects } from '../../apiserver/clusterObjects.js'
import { withStartEvents } from '../../cluster/events/withEvents.js'
import { ownService, ownServiceObjects } from '../../apiserver/ownService.js'
import { securePortOf } from '../../host/kubeApi/securePort.js'
import { serviceCIDR } from '../../apiserver/serviceCidr.js'
import { startApiProcess, type ApiProcess } from '../../host/kubeProxy/apiProcess.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { apiHost, apiPort } from '../plan/kubeApiAddress.js'
import type { PreparedLab } from '../plan/prepareLab.js'

/**
 * Serves the lab's objects as the Kubernetes API, on the fabric's own address; `since` is when the lab started. Only a lab
 * that stays serves writes, and shows the API's own Service.
 */
export async function startKubeApi(
  sandbox: Sandbox,
  prepared: PreparedLab,
  since: Date,
  writable: boolean,
): Promise<ApiProcess> {
  const { cluster, lab, topology } = prepared
  const host = apiHost(prepared)
  const hasOwn = cluster.services.some(
    ({ metadata: { namespace, name } }) => namespace === ownService.namespace && name === ownService.name,
  )
  const serviceRange = topology.ranges.services[lab.families[0] ?? 'IPv4']
  return startApiProcess(sandbox, {
    name: lab.name,
    host,
    port: apiPort,
    writable,
    objects: clusterObjects(withStartEvents(cluster, since.toISOString()), { kernel: release(), since }),
    builtIn: [
      serviceCIDR(lab.families.map((family) => topology.ranges.services[family])),
      ...(writable && !hasOwn
        ? ownServiceObjects({ address: host, port: securePortOf(apiPort), serviceRange })
        : []),
    ],
  })
}
