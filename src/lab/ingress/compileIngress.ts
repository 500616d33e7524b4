import type { Cluster } from '../../cluster/types.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Certificate, ProxyConfiguration } from '../../ingress/model.js'
import { gatewayConfiguration } from '../../ingress/gateway/gatewayConfiguration.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { SecretReader } from '../../ingress/objects/tlsSecret.js'
import { prefixes } from '../../ingress/rules/annotations.js'
import { ingressConfiguration } from '../../ingress/rules/ingressConfiguration.js'
import type { IngressSpec } from './schema.js'

/** The configuration of a controller's proxies, from the objects of a cluster. */
export interface CompiledIngress {
  readonly configuration: ProxyConfiguration
  /** Problems of these objects. */
  readonly findings: readonly Finding[]
}

/** Compiles the configuration of a controller; hosts without a certificate get `own`. */
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
