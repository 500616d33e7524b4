import type { Language } from '../../../../text/language.js'
import { explainRule } from '../../iptables/explain.js'
import { ipvsRuleTexts, type IpvsReason } from '../texts.js'
import type { IpvsRule } from '../types.js'

/** Explains an iptables rule of mode ipvs in a short sentence. */
export function explainIpvsRule(rule: IpvsRule, language: Language): string {
  const { reason } = rule
  return isOwn(reason) ? ipvsRuleTexts[language][reason] : explainRule({ ...rule, reason }, language)
}

function isOwn(reason: IpvsReason): reason is keyof (typeof ipvsRuleTexts)['en'] {
  return reason in ipvsRuleTexts.en
}
