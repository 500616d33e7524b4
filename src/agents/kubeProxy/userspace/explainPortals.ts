import type { IpFamily } from '../../../net/ipFamily.js'
import type { SavedTable } from '../../../netfilter/save.js'
import type { Language } from '../../../text/language.js'
import { explainWritten } from '../iptables/explained/explainedRuleset.js'
import type { ExplainedRuleset } from '../iptables/explained/types.js'
import type { ProxyInput } from '../input.js'
import type { PortalOrders } from './orders.js'
import { buildPortals } from './portals.js'
import { writtenPortalRules } from './restore.js'
import { userspaceRules } from './rules.js'
import { userspaceTexts } from './texts.js'

/**
 * Compares a node's tables with what mode userspace writes. Only the process knows the proxy port of each
 * service port: `served` is its report.
 */
export function explainPortals(
  input: ProxyInput,
  family: IpFamily,
  served: readonly PortalOrders[],
  saved: readonly SavedTable[],
  language: Language,
): ExplainedRuleset {
  const { place, portals } = buildPortals(input, family)
  const orders = served.find((one) => one.family === family)?.portals ?? []
  const proxyPorts = new Map(orders.map(({ key, listen }) => [key, listen.port]))
  const existing = portals.map((portal) => ({
    ...portal,
    proxyPort: proxyPorts.get(portal.port.key) ?? portal.proxyPort,
  }))
  const rules = userspaceRules(existing, place)
  const texts = userspaceTexts[language]
  const written = writtenPortalRules(rules).map(({ table, rule }) => ({
    ...{ table, rule },
    why: texts[rule.reason],
  }))
  return explainWritten({ family, ports: existing.map(({ port }) => port), written }, saved, language)
}
