import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { policyTable } from '../agents/networkPolicy/nftTable.js'
import type { IpFamily } from '../net/ipFamily.js'
import { ruleCounts } from '../netfilter/counts.js'
import { parseConntrack } from '../netfilter/conntrack.js'
import { ipvsAsSaved } from '../netfilter/ipvsAsSaved.js'
import { nftAsSaved } from '../netfilter/nftAsSaved.js'
import { parseNftLists } from '../netfilter/nftList.js'
import { parseSave, type SavedTable } from '../netfilter/save.js'
import type { ConntrackEntry, RuleCount } from '../netfilter/types.js'
import { readingScript, readPlace, type ReadPlace } from '../snapshot/readings/readPlace.js'
import { plannedState } from '../snapshot/fromPlan/plannedState.js'
import { withMeaning } from '../snapshot/meaning.js'
import type { LabModel, Snapshot } from '../snapshot/model/snapshot.js'
import type { TraceState } from '../snapshot/model/state.js'
import { joinPlaces } from '../snapshot/readings/joinPlaces.js'
import type { Iptables } from './backend.js'
import { runPlanned } from './sandbox/runPlan.js'
import type { Sandbox } from './sandbox/sandbox.js'

const folder = '/run/vethlab/counters'

/** The counters of every rule of each namespace, both families together, read with one process. */
export async function readRuleCounts(
  sandbox: Sandbox,
  iptables: Iptables,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, RuleCount[]>> {
  const rules = await readRules(sandbox, iptables, netnsNames, families)
  return new Map([...rules].map(([netns, tables]) => [netns, tables.flatMap(ruleCounts)]))
}

/** The rules of each namespace with their counters, a ruleset for each of the families. */
export async function readRules(
  sandbox: Sandbox,
  iptables: Iptables,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, SavedTable[][]>> {
  await sandbox.writeFiles([{ path: `${folder}/README`, text: 'Rules and counters, as last read.\n' }])
  await Promise.all(
    families.map((family) => {
      const save = [iptables.program(family, 'save'), '-c', '-f', `${folder}/{}.${family}`]
      const argv = ['nsenter', '--net=/run/netns/{}', ...save]
      return runPlanned(sandbox, 'reading rule counters', { argv, each: netnsNames })
    }),
  )
  return new Map(
    netnsNames.map((netns) => [
      netns,
      families.map((family) => parseSave(sandbox.inside.read(`${folder}/${netns}.${family}`))),
    ]),
  )
}

/** iptables-save; a plain name means the lab's backend inside its sandbox. */
export function saveProgram(family: IpFamily): string {
  return family === 'IPv4' ? 'iptables-save' : 'ip6tables-save'
}

/** What iptables-save prints in a namespace with counters, of several families. */
export async function printRules(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
): Promise<string> {
  const saves = families.map((family) =>
    sandbox.must('reading rules', [saveProgram(family), '-c'], { netns }),
  )
  return (await Promise.all(saves)).map(({ stdout }) => stdout).join('')
}

/** The rules of one namespace and family with their counters; none where no rule was ever written. */
export async function savedNow(
  sandbox: Sandbox,
  netns: string,
  family: IpFamily,
): Promise<readonly SavedTable[]> {
  const text = await printRules(sandbox, netns, [family])
  return text.trim() === '' ? [] : parseSave(text)
}

/** The nft tables of kube-proxy and of policies in each namespace, as saved tables; none if there is no such table. */
export async function readNftRules(
  sandbox: Sandbox,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, SavedTable[][]>> {
  const read = async (netns: string) => {
    const texts = await Promise.all(families.map((family) => listNodeTables(sandbox, netns, family)))
    return texts.map((text) => parseNftLists(text).map(nftAsSaved))
  }
  return new Map(await Promise.all(netnsNames.map(async (netns) => [netns, await read(netns)] as const)))
}

/** Virtual servers and ipsets of each namespace, and the iptables rules, as saved tables. */
export async function readIpvsRules(
  sandbox: Sandbox,
  iptables: Iptables,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, SavedTable[][]>> {
  const rules = await readRules(sandbox, iptables, netnsNames, families)
  const read = async (netns: string) => {
    const { servers, sets } = await listIpvs(sandbox, netns)
    return families.map((family, index) => [
      ...(rules.get(netns)?.[index] ?? []),
      ...ipvsAsSaved(servers, sets, family),
    ])
  }
  return new Map(await Promise.all(netnsNames.map(async (netns) => [netns, await read(netns)] as const)))
}

/** What `ipvsadm -S -n` and `ipset save` print in a namespace, of both families. */
export async function listIpvs(
  sandbox: Sandbox,
  netns: string,
): Promise<{ readonly servers: string; readonly sets: string }> {
  const what = 'reading the state of IPVS'
  const [servers, sets] = await Promise.all([
    sandbox.must(what, ['ipvsadm', '-S', '-n'], { netns }),
    sandbox.must(what, ['ipset', 'save'], { netns }),
  ])
  return { servers: servers.stdout, sets: sets.stdout }
}

/** What `ipvsadm` prints of the connections that virtual servers have had in a namespace; see `readConnections`. */
export async function listConnections(sandbox: Sandbox, netns: string): Promise<string> {
  const argv = ['ipvsadm', '-L', '-n', '--stats', '--exact']
  return (await sandbox.must('reading the counters of virtual servers', argv, { netns })).stdout
}

/** The tables of kube-proxy and of policies in a namespace, as `nft -s list ruleset` prints them; empty if there is none. */
export async function listNodeTables(
  sandbox: Sandbox,
  netns: string,
  family: IpFamily,
  options: readonly string[] = [],
): Promise<string> {
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const argv = ['nft', '-s', ...options, 'list', 'ruleset', ip]
  const { stdout } = await sandbox.run(argv, { netns })
  const own = [`${ip} kube-proxy`, policyTable(family)].map((table) => `table ${table} {`)
  return (
    stdout
      // a warning is before each table of iptables
      .replaceAll(/^#.*\n/gm, '')
      .split(/^(?=table )/m)
      .filter((table) => own.some((head) => table.startsWith(head)))
      .join('')
  )
}

/**
 * The namespace's conntrack table, both families together. Where the kernel shows it under /proc (nf_conntrack_procfs),
 * the file of any process in the namespace saves starting conntrack.
 */
export async function readConntrack(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
  pidThere: number | undefined,
): Promise<ConntrackEntry[]> {
  const text = pidThere === undefined ? undefined : readIfThere(`/proc/${pidThere}/net/nf_conntrack`)
  if (text !== undefined) return parseConntrack(text)
  const texts = await Promise.all(
    families.map((family) =>
      sandbox.must('reading conntrack', ['conntrack', '-L', '-f', family === 'IPv4' ? 'ipv4' : 'ipv6'], {
        netns,
      }),
    ),
  )
  return texts.flatMap(({ stdout }) => parseConntrack(stdout))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Reads namespaces of a sandbox; undefined is its first one. Each is read in one shell, because to enter it takes longer than most
 * commands. What cannot be read is recorded.
 */
export async function readPlaces(
  sandbox: Pick<Sandbox, 'run'>,
  netnsNames: readonly (string | undefined)[],
): Promise<ReadPlace[]> {
  const mark = randomBytes(16).toString('hex')
  const script = readingScript(mark)
  return Promise.all(
    netnsNames.map(async (netns) => {
      const { stdout } = await sandbox.run(['sh', '-c', script], netns === undefined ? {} : { netns })
      return readPlace(netns, mark, stdout)
    }),
  )
}

/** What all namespaces of a running lab have now; what a rule means comes from the plan, where it has the same rule. */
export async function readState(sandbox: Pick<Sandbox, 'run'>, model: LabModel): Promise<TraceState> {
  const { nodes, clients, pods } = model.topology
  const netnsNames = [undefined, ...[...nodes, ...clients, ...pods].map(({ netns }) => netns)]
  return withMeaning(joinPlaces(await readPlaces(sandbox, netnsNames)), plannedState(model))
}

/** A running lab, with the state of its kernels. */
export async function readSnapshot(sandbox: Pick<Sandbox, 'run'>, model: LabModel): Promise<Snapshot> {
  return kernelSnapshot(model, await readState(sandbox, model))
}

/** A running lab with a state that was read; what could not be read is a notice. */
export function kernelSnapshot(model: LabModel, state: TraceState): Snapshot {
  const notices = (state.unread ?? []).map(
    ({ place, what, why }) => `${what} of ${place} could not be read: ${why}`,
  )
  return { basis: 'kernel', model, state, notices }
}
