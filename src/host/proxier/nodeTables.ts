import type { IpFamily } from '../../net/ipFamily.js'
import { lockWait } from '../../netfilter/lockWait.js'
import { splitNft } from '../../netfilter/splitNft.js'
import {
  isLong,
  largeCommits,
  smallCommits,
  splitRestore,
  type CommitSize,
} from '../../netfilter/splitRestore.js'
import type { ConntrackEntry } from '../../netfilter/types.js'
import { listCommands } from '../../agents/kubeProxy/nftables/existing.js'
import type { Iptables } from '../backend.js'
import { inSystemFolders } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { ipvsTables, type IpvsTables } from './ipvsTables.js'
import { deleteUdpEntries, readUdpEntries } from './udpEntries.js'

/** Exit status of iptables if the lock is taken or resources are missing. */
const resourceProblem = 4

/** One family's netfilter state of one node: what a Proxier reads and writes. */
export interface NodeTables {
  /** What iptables-save prints, of one table or of all. Throws CommandError. */
  save(table?: string): Promise<string>
  /**
   * Runs iptables-restore with this input, in few commits if the kernel allows large ones (see `splitRestore`); returns its error
   * message if it fails.
   */
  restore(text: string): Promise<string | undefined>
  /** `unknown` if iptables could not check: the chain may still exist. */
  chain(table: string, name: string): Promise<'present' | 'absent' | 'unknown'>
  /** Creates missing nfacct objects. */
  makeCounters(names: readonly string[]): Promise<void>
  /** Runs `nft -f`, as one transaction if the kernel allows it (see `splitNft`); returns its error message if it fails. */
  applyNft(text: string): Promise<string | undefined>
  /** Chains, sets and maps as nft lists them; see `listCommands`. Throws CommandError. */
  listNft(): Promise<string>
  readonly ipvs: IpvsTables
  udpEntries(): Promise<ConntrackEntry[]>
  /** Deletes exactly these entries; returns those that still existed. */
  deleteEntries(entries: readonly ConntrackEntry[]): Promise<ConntrackEntry[]>
}

/** The tables of one family in one network namespace of a sandbox. */
export function nodeTables(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  family: IpFamily,
): NodeTables {
  const program = (what?: 'save' | 'restore') => iptables.program(family, what)
  return {
    async save(table) {
      const argv = [program('save'), ...(table === undefined ? [] : ['-t', table])]
      return (await sandbox.must('reading the rules', argv, { netns })).stdout
    },
    async restore(text) {
      const argv = [program('restore'), ...lockWait, '--noflush', '--counters']
      const size = isLong(text) ? commitSize(iptables, sandbox) : undefined
      const largeMessages = size !== undefined && sandbox.largeMessages && inSystemFolders(program('restore'))
      const input = size === undefined ? text : splitRestore(text, largeMessages ? largeCommits : size)
      const { exitCode, stderr } = await sandbox.run(argv, { netns, input, largeMessages })
      return exitCode === 0 ? undefined : stderr.trim() || `iptables-restore exited with ${exitCode}`
    },
    async chain(table, name) {
      const { exitCode } = await sandbox.run([program(), ...lockWait, '-S', name, '-t', table], { netns })
      if (exitCode === 0) return 'present'
      return exitCode === resourceProblem || exitCode > 4 ? 'unknown' : 'absent'
    },
    async makeCounters(names) {
      // an object that already exists is kept
      await Promise.all(names.map((name) => sandbox.run(['nfacct', 'add', name], { netns })))
    },
    async applyNft(text) {
      const parts = splitNft(text)
      const largeMessages = parts.length > 1
      for (const input of sandbox.largeMessages ? [text] : parts) {
        const { exitCode, stderr } = await sandbox.run(['nft', '-f', '-'], { netns, input, largeMessages })
        if (exitCode !== 0) return stderr.trim() || `nft exited with ${exitCode}`
      }
      return undefined
    },
    async listNft() {
      const options = { netns, input: listCommands(family === 'IPv4' ? 'ip' : 'ip6') }
      return (await sandbox.must('reading the rules', ['nft', '-s', '-f', '-'], options)).stdout
    },
    ipvs: ipvsTables(sandbox, iptables, netns, family),
    udpEntries: () => readUdpEntries(sandbox, netns, family),
    deleteEntries: (entries) => deleteUdpEntries(sandbox, netns, family, entries),
  }
}

/** The commits in which rules are written as the root of a sandbox; undefined if any commit is possible, and fast. */
export function commitSize(
  { backend }: Pick<Iptables, 'backend'>,
  { owner }: Pick<Sandbox, 'owner'>,
): CommitSize | undefined {
  if (backend !== 'nft') return undefined
  return owner === 0 ? largeCommits : smallCommits
}
