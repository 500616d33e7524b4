import { masqueradeMatrix } from './masquerade.js'
import { nodePorts } from './nodePorts.js'
import { externalTrafficPolicies, terminatingEndpoints } from './policies.js'
import type { Scenario } from './scenario.js'
import { clusterIP, healthCheckNodePort, noEndpoints, sourceRanges } from './services.js'

/** Packet flows to Services, in groups A to M; the rows of a group are numbered. */
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
