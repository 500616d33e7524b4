import { InputError } from '../errors.js'
import { readText } from '../host/readText.js'
import type { ProxiedNode, Snapshot } from '../lab/snapshot/model.js'
import { proxiedNodes } from '../lab/snapshot/plannedState.js'
import { readSnapshotText } from '../lab/snapshot/snapshotText.js'
import { compareRulesets, type Difference } from '../netfilter/difference.js'
import type { SavedTable } from '../netfilter/save.js'
import type { IpFamily } from '../net/ipFamily.js'
import { buildRuleset } from '../proxy/iptables/ruleset.js'
import { abilitiesOf } from '../proxy/iptables/abilities.js'
import { explainRuleset } from '../proxy/iptables/explained/explainedRuleset.js'
import { toSaved } from '../proxy/iptables/saved.js'
import { modeOf } from '../proxy/modes.js'
import { didYouMean } from '../text/nearestName.js'
import { chosenRules, type RulesOfNode, type RulesQuestion } from './rulesOfNode.js'

/** Whether a word names a file, or standard input, and not a lab. */
export function isSnapshotFile(word: string): boolean {
  return word === '-' || word.endsWith('.json')
}

/** Reads a snapshot from a file, or standard input for `-`. Throws InputError. */
export function readSnapshotFile(path: string): Snapshot {
  return readSnapshotText(path === '-' ? 'standard input' : path, readText(path))
}

/** The rules of a node in a snapshot, compared with what its kube-proxy should have written. Throws InputError. */
export function rulesInSnapshot(snapshot: Snapshot, question: RulesQuestion): RulesOfNode {
  const { model } = snapshot
  const { input, mode } = iptablesNode(snapshot, question.node)
  const families = familiesOf(snapshot, question.family).map((family) => {
    const saved = savedTables(snapshot, question.node, family)
    const ruleset = explainRuleset(expectedRules(input, saved, family), saved, question.language)
    return chosenRules(ruleset, input, question, family)
  })
  return { lab: model.lab.name, node: question.node, mode: mode.name, backend: 'snapshot', families }
}

/** How the rules of a node in a snapshot differ from what its kube-proxy should have written. Throws InputError. */
export function differencesInSnapshot(
  snapshot: Snapshot,
  node: string,
  family?: IpFamily,
): readonly Difference[] {
  const { input } = iptablesNode(snapshot, node)
  return familiesOf(snapshot, family).flatMap((one) => {
    const saved = savedTables(snapshot, node, one)
    return compareRulesets(toSaved(expectedRules(input, saved, one)), saved)
  })
}

/** The rules show whether the kernel has nfacct, and iptables --random-fully. */
function expectedRules(input: ProxiedNode['input'], saved: readonly SavedTable[], family: IpFamily) {
  const written = saved.some(({ rules }) => rules.some(({ chain }) => chain === 'KUBE-POSTROUTING'))
  return buildRuleset({ ...input, ...(written ? abilitiesOf(saved) : {}) }, family)
}

function iptablesNode({ model }: Snapshot, node: string): ProxiedNode {
  const found = proxiedNodes(model).get(node)
  const names = model.topology.nodes.map(({ name }) => name)
  const fail = (message: string, hint?: string) => new InputError([{ message, hint }])
  if (!names.includes(node))
    throw fail(
      `the snapshot has no node "${node}"`,
      didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`,
    )
  if (found === undefined) throw fail('the nodes of this snapshot run no kube-proxy')
  if (found.mode !== modeOf('iptables'))
    throw fail(
      `the rules of mode ${found.mode.name} are compared on a running lab only`,
      `vethlab rules ${model.lab.name} ${node}`,
    )
  return found
}

function familiesOf({ model }: Snapshot, family: IpFamily | undefined): readonly IpFamily[] {
  const { families } = model.topology
  if (family === undefined) return families
  if (families.includes(family)) return [family]
  throw new InputError([{ message: `the snapshot has no ${family}`, hint: `it has ${families.join(', ')}` }])
}

function savedTables({ model, state }: Snapshot, node: string, family: IpFamily): SavedTable[] {
  const netns = model.topology.nodes.find(({ name }) => name === node)?.netns ?? node
  return [...(state.rules.get(netns)?.[family] ?? [])].flatMap(([table, chains]) =>
    table.includes(':')
      ? []
      : [
          {
            table,
            chains: [...chains].map(([name, { policy = '-' }]) => ({ name, policy, packets: 0, bytes: 0 })),
            rules: [...chains].flatMap(([chain, { rules }]) => rules.map(({ spec }) => ({ chain, spec }))),
          },
        ],
  )
}
