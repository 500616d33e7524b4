import { createHash } from 'node:crypto'
import { existsSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../until.js'
import { enterGroups, groupHierarchy, isRemoved, type Limits } from './groupHierarchy.js'

/**
 * Control groups (cgroups(7)) below one of vethlab: one for each name. With the controller `cpu`, if the host has it, busy groups
 * get equal shares of the processors, and all of them together as much as another process that is busy, such as the server.
 */
export interface ControlGroups {
  /** Moves a process into the group of a name; what it starts from then on is in it too. */
  add(name: string, pid: number): void
  /** A command that enters the group first, and runs in it only. */
  command(name: string, argv: readonly string[]): readonly string[]
  /** Removes the groups when their last processes have ended. */
  remove(): Promise<void>
}

/** The folder of the groups of participants. */
export const classFolder = 'vethlab-class'

/** How long the last processes of groups may take to end. */
const removeMs = 30_000

/**
 * Groups with limits, one for each participant of a class; a text why this host has none: no permission, or no controllers. `of`
 * identifies the class on this host: participants of two classes who have the same name do not share a group.
 */
export function controlGroups(limits: Limits, of: string): ControlGroups | string {
  const prefix = createHash('sha256').update(of).digest('hex').slice(0, 8)
  try {
    const hierarchy = () => groupHierarchy({ own: classFolder, shares: true })
    const { bases } = hierarchy()
    const made = new Map<string, readonly string[]>()
    const foldersOf = (name: string): readonly string[] => {
      const known = made.get(name)
      // a group without processes may be removed by others: an administrator, or the end of another class
      if (known?.every((folder) => existsSync(folder)) === true) return known
      const folders = hierarchy().make(`${prefix}-${name}`, limits)
      made.set(name, folders)
      return folders
    }
    // finds out whether it is possible
    foldersOf('probe').forEach((folder) => rmdirSync(folder))
    made.clear()
    return {
      add(name, pid) {
        for (const folder of foldersOf(name)) writeFileSync(join(folder, 'cgroup.procs'), String(pid))
      },
      command: (name, argv) => [...enterGroups(foldersOf(name)), ...argv],
      async remove() {
        const folders = [...made.values()].flat()
        made.clear()
        // a lab has ended when its first process has; the kernel then ends the others
        await until(() => folders.filter((folder) => !isRemoved(folder)).length === 0, {
          ...{ patienceMs: removeMs, everyMs: 20 },
        })
        // unless another class has groups
        bases.forEach(isRemoved)
      },
    }
  } catch (error) {
    return (error as Error).message
  }
}
