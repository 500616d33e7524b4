import { Command, Option } from 'commander'
import { didYouMean } from '../cluster/nearestName.js'
import type { IpFamily, Service } from '../cluster/types.js'
import { InputError } from '../errors.js'
import { joinSandbox, type Sandbox } from '../host/sandbox.js'
import { listStanding } from '../host/proxier/ipvsTables.js'
import { listConnections, listIpvs, listNftTable } from '../host/readings.js'
import { listPortals } from '../host/userspace/nodePortals.js'
import { parseNftLists } from '../netfilter/nftList.js'
import { parseSave, type SavedTable } from '../netfilter/save.js'
import { abilitiesOf } from '../proxy/iptables/abilities.js'
import { explainRuleset } from '../proxy/iptables/explained/explainedRuleset.js'
import type { ExplainedRuleset } from '../proxy/iptables/explained/types.js'
import { buildRuleset } from '../proxy/iptables/ruleset.js'
import type { ProxyInput } from '../proxy/input.js'
import { explainIpvs } from '../proxy/ipvs/explained/explainedIpvs.js'
import { foundIpvs, readConnections } from '../proxy/ipvs/found.js'
import { explainTable } from '../proxy/nftables/explained/explainedTable.js'
import { buildTable } from '../proxy/nftables/table.js'
import { explainPortals } from '../proxy/userspace/explainPortals.js'
import { whyWithoutRules } from '../proxy/withoutRules.js'
import { createColours } from '../reporters/colour.js'
import { prettyRules } from '../reporters/prettyRules.js'
import { familyOf } from './nodeInput.js'
import { defaultRanges } from '../topology/ranges.js'
import { terminal } from './terminal.js'
import type { UpProxyState } from './control/upState.js'
import { readProxyState, withUpLab, type UpLab } from './upLab.js'
import { printColoured } from './output.js'
import { jsonText } from '../reporters/jsonText.js'

interface RulesFlags {
  readonly service?: string
  readonly family?: 'ipv4' | 'ipv6'
  readonly raw?: true
  readonly json?: true
}

const help = `
Each rule stands with the packets that it has counted, and with why kube-proxy writes it; in mode nftables elements of sets
and maps do too, and nothing is counted; in mode ipvs addresses, entries of ipsets, and virtual servers with their
connections. What differs (~), is missing (-) or kube-proxy did not write (+) is marked. Comments are left out where they
say the same; --raw has them.

Examples:
  $ sudo vethlab rules nodeport node-a
  $ sudo vethlab rules nodeport node-a --service default/my-nodeport-service`

/** `vethlab rules <lab> <node>`: the rules of a lab that is up, explained. */
export function rulesCommand(): Command {
  return new Command('rules')
    .summary('explain the rules on a node of a lab that is up')
    .description(
      'Prints the rules on a node of a lab that is up, by Service and in the order in which a packet meets them.',
    )
    .argument('<lab>', 'name of a lab that is up')
    .argument('<node>', 'name of a node')
    .option('--service <namespace/name>', 'the rules of one Service only')
    .addOption(
      new Option('--family <family>', "address family; the lab's otherwise").choices(['ipv4', 'ipv6']),
    )
    .addOption(
      new Option(
        '--raw',
        'print what iptables-save -c prints; in mode nftables, what nft lists of the table kube-proxy; in mode ipvs, what ipvsadm -S -n and ipset save print before it',
      ).conflicts(['service', 'json']),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (lab: string, node: string, flags: RulesFlags) => {
      printColoured(await withUpLab(lab, (up) => rules(up, node, flags)))
    })
}

async function rules(lab: UpLab, node: string, flags: RulesFlags): Promise<string> {
  const state = await readProxyState(lab)
  const netns = netnsOf(lab, node)
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  const families = flags.family === undefined ? state.families : [ownFamily(state, familyOf(flags.family))]
  const mode = state.kubeProxy ? state.config.mode : 'iptables'
  const saves = await Promise.all(
    families.map((family) =>
      mode === 'nftables' ? listNftTable(sandbox, netns, family) : save(sandbox, netns, family),
    ),
  )
  if (flags.raw === true) return (mode === 'ipvs' ? await ipvs(sandbox, netns) : '') + saves.join('')
  if (!state.kubeProxy) refuseWithoutKubeProxy(lab, node)
  const service = flags.service === undefined ? undefined : findService(state, flags.service)
  const userspace = mode === 'userspace'
  const served = userspace ? await listPortals(sandbox, netns) : []
  const explainOne = async (family: IpFamily, saved: string): Promise<ExplainedRuleset> => {
    if (mode === 'nftables') return explainNft(state, node, family, saved)
    if (mode === 'ipvs') return explainServers(sandbox, netns, inputOf(state, node), family)
    if (userspace) return explainPortals(inputOf(state, node), family, served, parse(saved))
    return explain(state, node, family, parse(saved))
  }
  const rulesets = await Promise.all(families.map((family, index) => explainOne(family, saves[index] ?? '')))
  const explained = rulesets.map((ruleset) => (service === undefined ? ruleset : only(ruleset, service)))
  const services = service === undefined ? state.cluster.services : [service]
  if (flags.json === true) return json(lab, node, state, explained, services)
  return explained.map((ruleset) => text(lab, node, state, ruleset, services)).join('\n')
}

/** Virtual servers and ipsets, which belong to both families. */
async function ipvs(sandbox: Sandbox, netns: string): Promise<string> {
  const { servers, sets } = await listIpvs(sandbox, netns)
  return servers + sets
}

/** Plain names mean the lab's backend inside its sandbox. */
async function save(sandbox: Sandbox, netns: string, family: IpFamily): Promise<string> {
  const program = family === 'IPv4' ? 'iptables-save' : 'ip6tables-save'
  const { stdout } = await sandbox.must('reading rules', [program, '-c'], { netns })
  return stdout
}

/** Where nobody ever wrote a rule, or all tables were deleted, iptables-save prints nothing. */
function parse(text: string): readonly SavedTable[] {
  return text.trim() === '' ? [] : parseSave(text)
}

/** There is nothing to hold the rules against; what stands there, whoever wrote it, can be printed. */
function refuseWithoutKubeProxy({ lab }: UpLab, node: string): never {
  const message = `the nodes of "${lab}" have no kube-proxy whose rules could be explained`
  throw new InputError([{ message, hint: `vethlab rules ${lab} ${node} --raw prints what stands there` }])
}

function ownFamily({ families }: UpProxyState, family: IpFamily): IpFamily {
  if (families.includes(family)) return family
  throw new InputError([
    { message: `the lab has no ${family}`, hint: `its nodes have ${families.join(' and ')}` },
  ])
}

function explain(
  state: UpProxyState,
  name: string,
  family: IpFamily,
  saved: readonly SavedTable[],
): ExplainedRuleset {
  // a kube-proxy of one's own may count with nfacct or not: what it wrote tells
  const written = saved.some(({ rules }) => rules.some(({ chain }) => chain === 'KUBE-POSTROUTING'))
  const abilities = written ? abilitiesOf(saved) : {}
  return explainRuleset(buildRuleset({ ...inputOf(state, name), ...abilities }, family), saved)
}

/** Where somebody deleted the table, nft lists nothing. */
function explainNft(state: UpProxyState, name: string, family: IpFamily, listed: string): ExplainedRuleset {
  const listing = parseNftLists(listed)[0] ?? { table: '', blocks: [] }
  return explainTable(buildTable(inputOf(state, name), family), listing)
}

async function explainServers(
  sandbox: Sandbox,
  netns: string,
  input: ProxyInput,
  family: IpFamily,
): Promise<ExplainedRuleset> {
  const save = family === 'IPv4' ? 'iptables-save' : 'ip6tables-save'
  const [listing, connections] = await Promise.all([
    listStanding(sandbox, netns, [save, '-c']),
    listConnections(sandbox, netns),
  ])
  return explainIpvs(input, family, foundIpvs(listing, family), readConnections(connections))
}

function inputOf(state: UpProxyState, name: string): ProxyInput {
  const { cluster, config: first, changedConfigs, nfacct, randomFully, families } = state
  const node = cluster.nodes.find(({ metadata }) => metadata.name === name)
  if (node === undefined) throw new Error(`the lab that is up has no Node ${name}`)
  const { services, endpointSlices } = cluster
  const config = changedConfigs[name] ?? first
  const serviceCIDRs = families.map((family) => defaultRanges.services[family])
  return { services, endpointSlices, node, config, nfacct, randomFully, serviceCIDRs }
}

function netnsOf({ lab, places }: UpLab, node: string): string {
  const nodes = places.filter(({ kind }) => kind === 'node')
  const found = nodes.find(({ name }) => name === node)
  if (found !== undefined) return found.netns
  const names = nodes.map(({ name }) => name)
  const hint = didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`
  throw new InputError([{ message: `the lab "${lab}" has no node "${node}"`, hint }])
}

function findService({ cluster }: UpProxyState, written: string): Service {
  const nameOf = ({ metadata }: Service) => `${metadata.namespace ?? 'default'}/${metadata.name}`
  const wanted = written.includes('/') ? written : `default/${written}`
  const found = cluster.services.find((service) => nameOf(service) === wanted)
  if (found !== undefined) return found
  const names = cluster.services.map(nameOf)
  const hint = didYouMean(wanted, names) ?? `its Services are ${names.join(', ')}`
  throw new InputError([{ message: `the lab has no Service "${wanted}"`, hint }])
}

function only(ruleset: ExplainedRuleset, { metadata }: Service): ExplainedRuleset {
  const services = ruleset.services.filter(
    ({ namespace, name }) => namespace === (metadata.namespace ?? 'default') && name === metadata.name,
  )
  return { family: ruleset.family, first: [], services, last: [], others: [] }
}

function withoutRules(services: readonly Service[], family: IpFamily) {
  return services.flatMap((service) => {
    const why = whyWithoutRules(service, family)
    const { namespace = 'default', name } = service.metadata
    return why === undefined ? [] : [{ namespace, name, why }]
  })
}

function json(
  { lab }: UpLab,
  node: string,
  { backend, config }: UpProxyState,
  rulesets: readonly ExplainedRuleset[],
  services: readonly Service[],
): string {
  const families = rulesets.map((ruleset) => ({
    ...ruleset,
    withoutRules: withoutRules(services, ruleset.family),
  }))
  return jsonText({ lab, node, mode: config.mode, backend, families })
}

function text(
  { view }: UpLab,
  node: string,
  { backend, config }: UpProxyState,
  ruleset: ExplainedRuleset,
  services: readonly Service[],
): string {
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const pods = new Map(view.pods.flatMap((pod) => pod.addresses.map((address) => [address, pod] as const)))
  const counted = `iptables-${backend}, packets counted so far`
  const whoseIn: Readonly<Record<string, string>> = {
    nftables: 'table kube-proxy of nftables, which counts nothing',
    ipvs: `virtual servers with their connections, ${counted}`,
  }
  const title = `${colours.name(node)}  ${ruleset.family}, ${whoseIn[config.mode] ?? counted}`
  return `${title}\n${prettyRules(ruleset, {
    colours,
    width,
    podAt: (address) => pods.get(address),
    serviceOf: (namespace, name) =>
      view.services.find((service) => service.namespace === namespace && service.name === name),
    withoutRules: withoutRules(services, ruleset.family),
  })}`
}
