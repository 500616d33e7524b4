import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { clusterCIDRs } from './clusterCIDRs.js'
import { configured } from './configured.js'
import { connections } from './connections.js'
import { duplicates } from './duplicates.js'
import type { Fact } from './fact.js'
import { ingresses } from './ingresses.js'
import { manifestWarnings } from './manifestWarnings.js'
import { marks } from './marks.js'
import { networkPolicies } from './networkPolicies.js'
import { policies } from './policies.js'
import { proxies } from './proxies.js'
import { ranges } from './ranges.js'
import { routes } from './routes.js'
import { settings } from './settings.js'
import { staleRules } from './staleRules.js'

/** What is wrong or risky in a snapshot, whichever request is sent. */
export function factsOf(snapshot: Snapshot): Fact[] {
  return [
    ...[staleRules, duplicates, ranges, clusterCIDRs, routes, settings, connections, policies],
    ...[proxies, configured, marks],
    ...[ingresses, networkPolicies, manifestWarnings],
  ].flatMap((find) => find(snapshot))
}
