import * as z from 'zod'
import { outcomeWords } from '../evidence.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { oneRequest, tracedActions } from './tracedRequests.js'

const schema = z.strictObject({
  by: z
    .string()
    .min(1)
    .describe(
      'The NetworkPolicy that isolates one end: its name, or namespace/name outside of default. Or the name of a ClusterNetworkPolicy.',
    ),
})

/** `denied: {by: default-deny}`: the request gets no answer, and this policy, of a namespace or of the cluster, is among those that deny it. */
export const denied = stepKind({
  key: 'denied',
  description: 'A policy denies the request: it gets no answer, and `vethlab why` names the policy.',
  needs: { why: true },
  actions: tracedActions,
  schema,
  refuse: (_, step) => oneRequest(step),
  // in the answer of `why`, only a ClusterNetworkPolicy has no namespace
  resolve: ({ by }) => ({ by, names: by.includes('/') ? [by] : [by, `default/${by}`] }),
  describe: ({ by }) => ({ name: `denied by ${by}`, expected: `denied by policy ${by}` }),
  evaluate: ({ names }, { requests, why }) => {
    const [request] = requests
    if (request === undefined || request.outcome === 'answered')
      return { ok: false, observed: request === undefined ? 'no request was sent' : 'it was answered' }
    if (why === undefined) return { ok: false, observed: `${outcomeWords(request)}; it was not predicted` }
    const policies = why.findings.flatMap(({ causes }) => causes.flatMap(({ deniedBy = [] }) => deniedBy))
    const by =
      policies.length === 0 ? 'no policy denies it' : `denied by ${[...new Set(policies)].join(', ')}`
    return { ok: names.some((one) => policies.includes(one)), observed: `${outcomeWords(request)}; ${by}` }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})
