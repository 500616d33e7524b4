import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { findTool, systemFolders } from '../environment.js'
import { parentOf } from './processTree.js'

/** CAP_NET_ADMIN in the bit mask of capabilities (linux/capability.h). */
const netAdmin = 1n << 12n

/**
 * Whether this process can exceed net.core.wmem_default in one netlink message (socket(7), SO_SNDBUFFORCE): the kernel requires
 * CAP_NET_ADMIN in the first user namespace. `status` and `uidMap` are the texts of these files of /proc/self.
 */
export function canForceBuffers(status: string, uidMap: string): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${effective}`) & netAdmin) !== 0n && /^\s*0\s+0\s+4294967295\s*$/.test(uidMap)
}

/** The same for this process; also false if one of the programs is missing in the system's folders. */
export function forcesBuffers(): boolean {
  return (
    ['setpriv', 'nft'].every((tool) => systemTool(tool) !== undefined) &&
    canForceBuffers(readFileSync('/proc/self/status', 'utf8'), readFileSync('/proc/self/uid_map', 'utf8'))
  )
}

/**
 * Argument array that runs a tool of the host in a network namespace of a mapped sandbox, with CAP_NET_ADMIN of the host and no
 * other capability, as the sandbox's root, which is no user of the host. `network` is an option of nsenter. It sees the host's
 * files as the sandbox does, but none that a lab could have replaced: the mounts are those of the sandbox's parent, which no
 * process of the lab can change, and both programs are in folders that a lab cannot write.
 */
export function hostTool(
  { pid, owner }: { readonly pid: number; readonly owner: number },
  network: string,
  [tool = '', ...args]: readonly string[],
): string[] {
  const sets = ['--bounding-set', '--inh-caps', '--ambient-caps'].map((set) => `${set}=-all,+net_admin`)
  const program = (name: string) => systemTool(name) ?? `/usr/sbin/${name}`
  return [
    ...['nsenter', `--mount=/proc/${parentOf(pid)}/ns/mnt`, network, '--', program('setpriv')],
    ...[`--reuid=${owner}`, `--regid=${owner}`, '--clear-groups', ...sets, '--no-new-privs'],
    ...['--pdeathsig', 'KILL', '--', program(tool), ...args],
  ]
}

/** Not from the whole PATH: its folders may be below /run or /tmp, where a lab writes. */
function systemTool(name: string): string | undefined {
  return findTool(name, systemFolders.join(delimiter))
}
