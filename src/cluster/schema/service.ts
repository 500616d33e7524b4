import {
  anyLists,
  bool,
  int32,
  intOrString,
  list,
  pointer,
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
    appProtocol: pointer(string),
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
    clientIP: struct('ClientIPConfig', { timeoutSeconds: pointer(int32) }),
  }),
  ipFamilies: list(stringType('IPFamily')),
  ipFamilyPolicy: pointer(stringType('IPFamilyPolicy')),
  allocateLoadBalancerNodePorts: pointer(bool),
  loadBalancerClass: pointer(string),
  internalTrafficPolicy: pointer(stringType('ServiceInternalTrafficPolicy')),
  trafficDistribution: pointer(string),
})

const ingress = struct('LoadBalancerIngress', {
  ip: string,
  hostname: string,
  ipMode: pointer(stringType('LoadBalancerIPMode')),
  ...anyLists({ ports: 'PortStatus' }),
})

const status = struct('ServiceStatus', {
  loadBalancer: struct('LoadBalancerStatus', { ingress: list(ingress) }),
  ...anyLists({ conditions: 'Condition' }),
})

/** Service of core/v1. */
export const serviceSchema = objectSchema('Service', { spec: serviceSpec, status }, ['spec'])
