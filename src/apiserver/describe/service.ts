import { firstThree, labelsText } from '../../cluster/columns/selectorText.js'
import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { EndpointSlice, LoadBalancerIngress, Service, ServicePort } from '../../cluster/types.js'
import { socketText } from '../../net/socketText.js'
import type { Describer, Field } from './describer.js'

/** A Service in the fields of `kubectl describe service`, with its ready endpoints by port, and its trafficDistribution. */
export const serviceDescriber: Describer<Service> = {
  kind: 'Service',
  needs: ['endpointslices'],
  describe({ metadata, spec, status }, cluster) {
    const { ipFamilies = [], clusterIPs = [], ports = [] } = spec
    const slices = slicesOf(cluster, metadata)
    const ingress = status?.loadBalancer?.ingress ?? []
    const fields = [
      ['Selector', labelsText(spec.selector)],
      ['Type', spec.type],
      ['IP Family Policy', spec.ipFamilyPolicy],
      ['IP Families', list(ipFamilies) ?? '<none>'],
      ['IP', spec.clusterIP ?? ''],
      ['IPs', list(clusterIPs) ?? '<none>'],
      ['External IPs', list(spec.externalIPs)],
      ['Desired LoadBalancer IP', spec.loadBalancerIP],
      ['External Name', spec.externalName],
      ['LoadBalancer Ingress', list(ingress.map(ingressText), ', ')],
      ...ports.flatMap((port) => portFields(port, slices)),
      ['Session Affinity', spec.sessionAffinity],
      ['External Traffic Policy', spec.externalTrafficPolicy],
      ['Internal Traffic Policy', spec.internalTrafficPolicy],
      ['Traffic Distribution', spec.trafficDistribution],
      ['HealthCheck NodePort', spec.healthCheckNodePort?.toString()],
      ['LoadBalancer Source Ranges', list(spec.loadBalancerSourceRanges)],
    ] satisfies readonly (readonly [string, string | undefined])[]
    return {
      fields: fields.flatMap(([name, value]): Field[] => (value === undefined ? [] : [[name, value]])),
      sections: [],
    }
  },
}

function list(values: readonly string[] = [], between = ','): string | undefined {
  return values.length === 0 ? undefined : values.join(between)
}

function ingressText({ ip, hostname = '', ipMode }: LoadBalancerIngress): string {
  return ipMode === undefined ? (ip ?? hostname) : `${ip ?? hostname} (${ipMode})`
}

function portFields(
  { name = '', port, protocol = 'TCP', targetPort = port, nodePort }: ServicePort,
  slices: readonly EndpointSlice[],
): (readonly [string, string])[] {
  const shown = name === '' ? '<unset>' : name
  return [
    ['Port', `${shown}  ${port}/${protocol}`],
    ['TargetPort', `${targetPort}/${protocol}`],
    ...(nodePort === undefined ? [] : ([['NodePort', `${shown}  ${nodePort}/${protocol}`]] as const)),
    ['Endpoints', endpointsText(name, slices)],
  ]
}

/** The ready endpoints of a port; `<none>` only where the Service has no EndpointSlice, as kubectl prints it. */
function endpointsText(name: string, slices: readonly EndpointSlice[]): string {
  if (slices.length === 0) return '<none>'
  const sockets = slices.flatMap(({ ports = [], endpoints }) =>
    ports
      .filter((one) => (one.name ?? '') === name)
      .flatMap(({ port = 0 }) =>
        endpoints
          .filter(({ conditions }) => conditions?.ready !== false)
          .map(({ addresses: [address = ''] }) => socketText({ address, port })),
      ),
  )
  return sockets.length === 0 ? '' : firstThree(sockets)
}
