import {
  anyLists,
  bool,
  int32,
  intOrString,
  list,
  string,
  stringMap,
  stringType,
  strings,
  struct,
} from './field.js'
import { objectSchema } from './metadata.js'

const servicePort = struct(
  'ServicePort',
  {
    name: string,
    protocol: stringType('Protocol'),
    appProtocol: string,
    port: int32,
    targetPort: intOrString,
    nodePort: int32,
  },
  ['port'],
)

const serviceSpec = struct('ServiceSpec', {
  ports: list(servicePort),
  selector: stringMap,
  clusterIP: string,
  clusterIPs: strings,
  type: stringType('ServiceType'),
  externalIPs: strings,
  sessionAffinity: stringType('ServiceAffinity'),
  loadBalancerIP: string,
  loadBalancerSourceRanges: strings,
  externalName: string,
  externalTrafficPolicy: stringType('ServiceExternalTrafficPolicy'),
  healthCheckNodePort: int32,
  publishNotReadyAddresses: bool,
  sessionAffinityConfig: struct('SessionAffinityConfig', {
    clientIP: struct('ClientIPConfig', { timeoutSeconds: int32 }),
  }),
  ipFamilies: list(stringType('IPFamily')),
  ipFamilyPolicy: stringType('IPFamilyPolicy'),
  allocateLoadBalancerNodePorts: bool,
  loadBalancerClass: string,
  internalTrafficPolicy: stringType('ServiceInternalTrafficPolicy'),
  trafficDistribution: string,
})

const ingress = struct('LoadBalancerIngress', {
  ip: string,
  hostname: string,
  ipMode: stringType('LoadBalancerIPMode'),
  ...anyLists({ ports: 'PortStatus' }),
})

const status = struct('ServiceStatus', {
  loadBalancer: struct('LoadBalancerStatus', { ingress: list(ingress) }),
  ...anyLists({ conditions: 'Condition' }),
})

/** Service of core/v1. */
export const serviceSchema = objectSchema('Service', { spec: serviceSpec, status }, ['spec'])
