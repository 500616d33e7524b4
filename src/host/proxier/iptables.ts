import { systemClock } from '../../clock.js'
import { targetName } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { printRules, readRules, savedNow } from '../readings.js'
import { takeRuleAway } from '../taken/takeRuleAway.js'
import { iptablesWriter } from './iptablesWriter.js'
import type { LiveMode } from './liveMode.js'
import { proxierOf } from './proxier.js'

export const liveIptables: LiveMode = {
  kernelNeeds: undefined,
  nodeProcess: () => undefined,
  proxier(options) {
    const { tables, family, input, adopt = false, clock = systemClock } = options
    const syncPeriodMs = input.config.iptables.syncPeriod * 1000
    const lastCleanup = adopt ? clock.now().getTime() : -Infinity
    return proxierOf(options, iptablesWriter({ tables, family, syncPeriodMs, lastCleanup }))
  },
  readRules,
  print: printRules,
  find: async (sandbox, netns, family) => ({ tables: await savedNow(sandbox, netns, family) }),
  takeRuleAway,
  evidence: {
    command: (family, iptables) => [iptables.program(family, 'save')],
    read(answer) {
      const targets = ruleTargets(answer)
      return ({ address, protocol, port, hasEndpoints }) => {
        const found = targets.get(`${address} ${protocol} ${port}`) ?? []
        return found.some((target) => !hasEndpoints || target !== 'REJECT')
      }
    },
  },
}

/** The targets of all saved rules that match one destination address, protocol and port. */
function ruleTargets(saved: string): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const line of saved.split('\n')) {
    const rule = parseRule(/^-A \S+ (.*)$/.exec(line)?.[1] ?? '')
    const { destination, protocol, matches } = rule
    const address = /^(.*)\/(?:32|128)$/.exec(destination?.value ?? '')?.[1]
    const port = matches.flatMap((match) => ('dport' in match ? [match.dport?.value.first] : []))[0]
    const target = targetName(rule)
    if (address === undefined || port === undefined || target === undefined) continue
    const key = `${address} ${protocol?.value} ${port}`
    targets.set(key, [...(targets.get(key) ?? []), target])
  }
  return targets
}
