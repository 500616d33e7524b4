import { comment } from '../netfilter/rules/build.js'
import type { Rule } from '../netfilter/rules/model.js'
import { renderRule } from '../netfilter/rules/render.js'
import { cniPlugin } from './meaning.js'
import { type NodeAgent } from './agent.js'

/** The CNI plugin of pods' links: pods leave the cluster masqueraded, and reach each other without NAT. */
export const cni: NodeAgent = {
  owner: cniPlugin,
  rulesOf(_cluster, { podRanges, clusterPodRange, masquerade }, family) {
    const range = podRanges.find((candidate) => candidate.family === family)
    if (range === undefined || !masquerade)
      return { restore: '', native: () => '', meanings: () => new Map() }
    const rule: Rule = {
      source: { value: range.cidr },
      destination: { value: clusterPodRange[family], negated: true },
      outInterface: { value: 'cni0', negated: true },
      matches: [comment('pods leave the cluster masqueraded')],
      target: { kind: 'MASQUERADE' },
    }
    const line = `-A POSTROUTING ${renderRule(rule)}`
    return {
      restore: `*nat\n${line}\nCOMMIT\n`,
      native: () => '',
      // its comment says why
      meanings: () => new Map([[`nat ${line}`, { spec: renderRule(rule), owner: cniPlugin }]]),
    }
  },
}
