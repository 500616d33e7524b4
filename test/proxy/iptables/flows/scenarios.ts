import { masqueradeMatrix } from './masquerade.js'
import { nodePorts } from './nodePorts.js'
import { externalTrafficPolicies, terminatingEndpoints } from './policies.js'
import type { Scenario } from './scenario.js'
import { clusterIP, healthCheckNodePort, noEndpoints, sourceRanges } from './services.js'

/** The packet-flow tables of the specification, section 8.2, rows A to M with the overrides. */
export const scenarios: readonly Scenario[] = [
  noEndpoints(),
  clusterIP(),
  sourceRanges(),
  ...nodePorts(),
  ...externalTrafficPolicies(),
  ...terminatingEndpoints(),
  ...healthCheckNodePort(),
  ...masqueradeMatrix(),
]
