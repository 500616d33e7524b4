import { comment, jump } from '../../netfilter/rules/build.js'
import type { Rule } from '../../netfilter/rules/model.js'
import { because, hookEnd } from './baseChains.js'
import { chainNames, hashOf, hooks } from './names.js'
import { hostRange, meaningOfPod, podNote } from './podChains.js'
import type { PolicyChainRule } from './policyChains.js'
import { remembered } from './remembered.js'
import type { NodeTables, PodChain } from './state.js'

/** The first rules of the hooks of iptables, which are inserted at their top: by built-in chain. */
export function hookJumps(): readonly (PolicyChainRule & { readonly chain: (typeof hooks)[number] })[] {
  return hooks.map((hook) => {
    const target = chainNames[hook]
    const hash = hashOf(`${hook}-m${'comment'}--comment${'kube-router netpol'}-j${target}`)
    const rule: Rule = { matches: [comment(`kube-router netpol - ${hash}`)], target: jump(target) }
    return { ...because('every packet first passes the policies of its pods')(rule), chain: hook }
  })
}

/** The chains of the hooks, with a jump for each pod of the node. */
export function hookChains({
  pods,
  toServices,
}: NodeTables): ReadonlyMap<string, readonly PolicyChainRule[]> {
  const chains = new Map<string, PolicyChainRule[]>(
    hooks.map((hook) => [chainNames[hook], hook === 'INPUT' ? [...toServices] : []]),
  )
  for (const pod of pods) for (const one of jumpsOf(pod)) chains.get(one.chain)?.push(one)
  for (const rules of chains.values()) rules.push(...hookEnd())
  return chains
}

type PodJump = PolicyChainRule & { readonly chain: (typeof chainNames)[(typeof hooks)[number]] }

/** The same values while the pod is the same: their text is kept. */
const jumpsOf = remembered(podJumps)

/** The jumps to the chain of a pod, by the chain that they are in: to the pod, and from it; on bridges too. */
function podJumps({ of: { pod, address }, name }: PodChain): readonly PodJump[] {
  const target = jump(name)
  const about = meaningOfPod(pod)
  const bridged = { kind: 'physdev', physdevIsBridged: true } as const
  const rules = (side: 'in' | 'out', isBridged: boolean): Rule => ({
    ...(side === 'in'
      ? { destination: { value: hostRange(address) } }
      : { source: { value: hostRange(address) } }),
    matches: [...(isBridged ? [bridged] : []), comment(podNote(pod, side))],
    target,
  })
  const to = about('packets to the pod')
  const from = about('packets of the pod')
  return [
    { chain: chainNames.FORWARD, rule: rules('in', false), meaning: to },
    { chain: chainNames.OUTPUT, rule: rules('in', false), meaning: to },
    { chain: chainNames.FORWARD, rule: rules('in', true), meaning: to },
    ...hooks.map((hook) => ({ chain: chainNames[hook], rule: rules('out', false), meaning: from })),
    { chain: chainNames.FORWARD, rule: rules('out', true), meaning: from },
  ]
}
