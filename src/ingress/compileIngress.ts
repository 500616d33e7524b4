import type { Cluster } from '../cluster/types.js'
import { defaultCertificate } from './certificateFiles.js'
import type { Certificate, ProxyConfiguration } from './model.js'
import { gatewayConfiguration } from './gateway/gatewayConfiguration.js'
import type { Finding } from './objects/finding.js'
import type { SecretReader } from './objects/tlsSecret.js'
import { prefixes } from './rules/annotations.js'
import { ingressConfiguration } from './rules/ingressConfiguration.js'
import type { IngressSpec } from './ingressController.js'

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
