import { container, ephemeralContainer } from './container.js'
import {
  anyObject,
  anyObjects,
  bool,
  int32,
  int64,
  list,
  pointer,
  string,
  stringMap,
  stringType,
  strings,
  struct,
} from './field.js'
import { objectMeta, objectSchema } from './metadata.js'
import { podParts } from './podParts.js'
import { volume } from './volume.js'

const toleration = struct('Toleration', {
  key: string,
  operator: stringType('TolerationOperator'),
  value: string,
  effect: stringType('TaintEffect'),
  tolerationSeconds: pointer(int64),
})

const podSpec = struct(
  'PodSpec',
  {
    initContainers: list(container),
    containers: list(container),
    ephemeralContainers: list(ephemeralContainer),
    restartPolicy: stringType('RestartPolicy'),
    terminationGracePeriodSeconds: pointer(int64),
    activeDeadlineSeconds: pointer(int64),
    dnsPolicy: stringType('DNSPolicy'),
    nodeSelector: stringMap,
    serviceAccountName: string,
    serviceAccount: string,
    automountServiceAccountToken: pointer(bool),
    nodeName: string,
    hostNetwork: bool,
    hostPID: bool,
    hostIPC: bool,
    hostUsers: pointer(bool),
    shareProcessNamespace: pointer(bool),
    hostname: string,
    hostnameOverride: pointer(string),
    subdomain: string,
    schedulerName: string,
    tolerations: list(toleration),
    priorityClassName: string,
    priority: pointer(int32),
    runtimeClassName: pointer(string),
    enableServiceLinks: pointer(bool),
    preemptionPolicy: pointer(stringType('PreemptionPolicy')),
    setHostnameAsFQDN: pointer(bool),
    volumes: list(volume),
    hostAliases: list(struct('HostAlias', { ip: string, hostnames: strings }, ['ip'])),
    dnsConfig: struct('PodDNSConfig', {
      nameservers: strings,
      searches: strings,
      options: list(struct('PodDNSConfigOption', { name: string, value: pointer(string) })),
    }),
    ...podParts,
    ...anyObjects({ schedulingGroup: 'PodSchedulingGroup' }),
  },
  ['containers'],
)

/** PodTemplateSpec of core/v1. */
export const podTemplate = struct('PodTemplateSpec', { metadata: objectMeta, spec: podSpec }, ['spec'])

/** Pod of core/v1; the cluster writes its status, which is not checked. */
export const podSchema = objectSchema('Pod', { spec: podSpec, status: anyObject('PodStatus') }, ['spec'])
