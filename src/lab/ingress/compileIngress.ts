import type { Cluster } from '../../cluster/types.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Certificate, ProxyConfiguration } from '../../ingress/model.js'
import { gatewayConfiguration } from '../../ingress/gateway/gatewayConfiguration.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { SecretReader } from '../../ingress/objects/tlsSecret.js'
import { prefixes } from '../../ingress/rules/annotations.js'
import { ingressConfiguration } from '../../ingress/rules/ingressConfiguration.js'
import type { IngressSpec } from './schema.js'

/** What the objects of a cluster come down to for a controller. */
export interface CompiledIngress {
  readonly configuration: ProxyConfiguration
  /** What it has to say of them. */
  readonly findings: readonly Finding[]
}

/** What a controller is to serve; where a host has no certificate of its own, this one is shown. */
export function compileIngress(
  cluster: Cluster,
  spec: IngressSpec,
  own: Certificate,
  readSecret?: SecretReader,
): CompiledIngress {
  const { configuration, findings } = ingressConfiguration(cluster, {
    controller: spec.controller,
    prefixes: prefixes[spec.proxy],
    ports: { http: 80, https: 443 },
    proxyProtocol: spec.proxyProtocol,
    readSecret,
  })
  const gateways = gatewayConfiguration(cluster, spec.controller).configuration
  const certificates = { [defaultCertificate]: own, ...configuration.certificates, ...gateways.certificates }
  return {
    configuration: {
      certificates,
      listeners: [
        ...configuration.listeners,
        ...gateways.listeners.map((listener) => ({ ...listener, proxyProtocol: spec.proxyProtocol })),
      ],
    },
    findings,
  }
}
