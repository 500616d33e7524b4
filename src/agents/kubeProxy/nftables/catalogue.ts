import { portField } from '../servicePort.js'
import type { ObjectField } from '../../meaning.js'
import { nodePortIPsSet } from './containers.js'
import { explainElement, explainNftRule } from './explain.js'
import { listedRule } from './listed.js'
import type { NftChain, NftElement } from './rule.js'
import { buildTable, type NftTable } from './table.js'
import { builtOnce } from '../input.js'
import { nftTexts } from './texts.js'
import { elementText, nftWriter, tableName } from './writer.js'
import type { ProxyInput } from '../input.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import type { CataloguedRule } from '../cataloguedRule.js'

/** The table of a node, built once. */
export const tableOf = builtOnce(buildTable)

/** The rules and elements that kube-proxy writes on one node in mode nftables, for one family. */
export function catalogueOfTable(input: ProxyInput, family: IpFamily): CataloguedRule[] {
  const table = tableOf(input, family)
  const node = input.node.metadata.name
  const { context, fixed, servicePorts } = table
  const of = { node, family, table: tableName } as const
  const rulesIn = ({ name, rules }: NftChain) =>
    rules.map((rule) => ({
      ...of,
      chain: name,
      line: lineOf(table, (writer) => writer.addRules({ name, rules: [rule] })),
      spec: listedRule(rule, context),
      why: explainNftRule(rule, 'en'),
      object: rule.port && portField(rule.port),
    }))
  const element = (container: string, one: NftElement, why: string, object?: ObjectField) => ({
    ...of,
    chain: container,
    line: lineOf(table, (writer) => writer.addElement(container, one)),
    spec: elementText(one),
    why,
    object,
  })
  return [
    ...fixed.flatMap(rulesIn),
    ...(context.nodePortIPs ?? []).map((key) =>
      element(nodePortIPsSet, { key }, nftTexts.en.elements.nodePortAddress),
    ),
    ...servicePorts.flatMap(({ port, elements, chains }) => [
      ...elements.map((one) => element(one.container, one, explainElement(one, port, 'en'), portField(port))),
      ...chains.flatMap(rulesIn),
    ]),
  ]
}

function lineOf({ context }: NftTable, write: (writer: ReturnType<typeof nftWriter>) => void): string {
  const writer = nftWriter(context)
  write(writer)
  return writer.lines[0] ?? ''
}
