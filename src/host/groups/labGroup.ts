import { readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { until } from '../until.js'
import { classFolder } from './controlGroups.js'
import {
  enterGroups,
  groupHierarchy,
  groupsRoot,
  isRemoved,
  isUnified,
  type GroupHierarchy,
  type Limits,
} from './groupHierarchy.js'

/** Limits that a lab sets; the others are the default. */
export type LabLimits = Partial<Limits>

/** The control group of one lab: everything in its sandbox is in it, and no process of vethlab outside. */
export interface LabGroup {
  /** A prefix of commands that enter the sandbox. */
  readonly enter: readonly string[]
  /** Replaces the default limits. A lab never gets more than the group that vethlab itself is in. */
  limit(limits: LabLimits): void
  /** The limits that the lab has reached so far, with their values; also after the group was removed. */
  reached(): LabLimits
  /** Removes the group, if its last processes end soon; otherwise a later lab removes it. */
  remove(): Promise<void>
}

/** Where groups are, for tests: the folder of the host's groups, and what proc_pid_cgroup(5) says about this process. */
export interface GroupsOf {
  readonly root?: string | undefined
  readonly self?: string | undefined
}

const labFolder = 'vethlab-labs'

/** How long the last processes of a sandbox that has ended may take to leave the group. */
const removeMs = 2000

/**
 * The default, if half of the host's memory is not less: the largest lab of this repository, with 250 pods, needs 430 MiB and 280
 * tasks, and those of 2,000 pods in docs/benchmarks.md about eight times as much.
 */
const most: Limits = { memory: 8 * 2 ** 30, tasks: 8192 }

/** How often a group is tried to be made, while other labs remove theirs. */
const attempts = 5

let count = 0

/** A new group with the default limits; a text why this host has none: no permission, no controllers, or a group of a class. */
export function makeLabGroup({ root = groupsRoot, self = ownGroups() }: GroupsOf = {}): LabGroup | string {
  // its limits are those of the participant
  if (self.includes(`/${classFolder}/`)) return 'this lab is in the group of a participant'
  const total = totalmem()
  const outer = smaller(outerLimits(root, self), { memory: total, tasks: Infinity })
  const defaults = smaller(outer, { ...most, memory: Math.min(total / 2, most.memory) })
  const name = `${process.pid}-${count++}`
  for (let attempt = 1; ; attempt += 1) {
    let hierarchy: GroupHierarchy | undefined
    try {
      hierarchy = groupHierarchy({ own: labFolder, shares: false, root })
      hierarchy.bases.forEach(removeAbandoned)
      hierarchy.make(name, defaults)
      const { limit } = hierarchy
      return groupAt(root, name, ({ memory, tasks }) => {
        limit(name, smaller(outer, { memory: memory ?? defaults.memory, tasks: tasks ?? defaults.tasks }))
      })
    } catch (error) {
      hierarchy?.bases.forEach((base) => isRemoved(join(base, name)))
      // the last lab of another vethlab may have removed the folder meanwhile
      const isGone = ['ENOENT', 'ENODEV'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!isGone || attempt === attempts) return (error as Error).message
    }
  }
}

/** The group of a process, if it is that of a lab. */
export function labGroupOf(pid: number, root: string = groupsRoot): LabGroup | undefined {
  const name = labGroupName(ownGroups(pid))
  return name === undefined ? undefined : groupAt(root, name, () => undefined)
}

/** The name of the lab's group in a text of proc_pid_cgroup(5). */
export function labGroupName(groups: string): string | undefined {
  return new RegExp(`^\\d+:(?:pids|):\\S*/${labFolder}/(\\d+-\\d+)$`, 'm').exec(groups)?.[1]
}

function groupAt(root: string, name: string, limit: LabGroup['limit']): LabGroup {
  const folders = isUnified(root)
    ? { memory: join(root, labFolder, name), tasks: join(root, labFolder, name) }
    : { memory: join(root, 'memory', labFolder, name), tasks: join(root, 'pids', labFolder, name) }
  const all = [...new Set(Object.values(folders))]
  let reached: LabLimits = {}
  const look = () => (reached = { ...reached, ...reachedIn(folders) })
  return {
    enter: enterGroups(all),
    limit,
    reached: look,
    async remove() {
      look()
      await until(() => all.filter((folder) => !isRemoved(folder)).length === 0, { patienceMs: removeMs })
      // unless another lab runs
      all.forEach((folder) => isRemoved(dirname(folder)))
    },
  }
}

/** memory.events or memory.oom_control, and pids.events, count how often a limit was reached. */
function reachedIn({ memory, tasks }: Readonly<Record<keyof Limits, string>>): LabLimits {
  const killed = ['memory.events', 'memory.oom_control'].some((file) =>
    /^oom_kill [1-9]/m.test(text(join(memory, file))),
  )
  const refused = /^max [1-9]/m.test(text(join(tasks, 'pids.events')))
  return {
    ...(killed ? { memory: limitIn(memory, memoryFiles) } : {}),
    ...(refused ? { tasks: limitIn(tasks, taskFiles) } : {}),
  }
}

const memoryFiles = ['memory.max', 'memory.limit_in_bytes']
const taskFiles = ['pids.max']

/** The limit of one group; Infinity without one. */
function limitIn(folder: string, files: readonly string[]): number {
  const values = files.map((file) => text(join(folder, file)).trim()).filter((value) => /^\d+$/.test(value))
  return Math.min(...values.map(Number))
}

/** The limits of the groups that this process is in: its own, and those around it. */
function outerLimits(root: string, self: string): Limits {
  const unified = isUnified(root)
  const least = (controller: string, files: readonly string[]) => {
    const path = new RegExp(`^\\d+:${unified ? '' : controller}:(/.*)$`, 'm').exec(self)?.[1] ?? '/'
    const base = unified ? root : join(root, controller)
    let smallest = Infinity
    for (let at = path; ; at = dirname(at)) {
      smallest = Math.min(smallest, limitIn(join(base, at), files))
      if (at === '/' || at === '.') return smallest
    }
  }
  return { memory: least('memory', memoryFiles), tasks: least('pids', taskFiles) }
}

function smaller(one: Limits, other: Limits): Limits {
  return {
    memory: Math.floor(Math.min(one.memory, other.memory)),
    tasks: Math.min(one.tasks, other.tasks),
  }
}

/** Removes groups whose vethlab was killed, when they have no processes any more. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const maker = /^(\d+)-\d+$/.exec(name)?.[1]
    if (maker !== undefined && !runs(Number(maker))) isRemoved(join(base, name))
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function ownGroups(pid: number | 'self' = 'self'): string {
  return text(`/proc/${pid}/cgroup`)
}

/** The text of a file; empty if it cannot be read. */
function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
