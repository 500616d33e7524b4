import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../until.js'

/** Limits of one participant: memory in MiB, and tasks, which are processes and threads. */
export interface Limits {
  readonly memoryMiB: number
  readonly tasks: number
}

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

/** A file of a group, and what is written to it. */
type Setting = readonly [file: string, value: string]

interface Hierarchy {
  /** The folders of vethlab, one for each hierarchy. */
  readonly bases: readonly string[]
  /** The limits of a group, by the index of the base. */
  readonly settings: (limits: Limits) => readonly (readonly Setting[])[]
}

const own = 'vethlab-class'
/** The controllers of the limits. */
const limited = ['memory', 'pids']
/** The controller of shares: a group has the usual one. */
const shared = 'cpu'
const root = '/sys/fs/cgroup'

/** How long the last processes of groups may take to end. */
const removeMs = 30_000

/** Groups with limits; a text why this host has none: no permission, or no controllers. */
export function controlGroups(limits: Limits): ControlGroups | string {
  try {
    const { bases, settings } = hierarchy()
    const made = new Set<string>()
    const foldersOf = (name: string): readonly string[] => {
      const folders = bases.map((base) => join(base, name))
      if (made.has(name)) return folders
      for (const [index, folder] of folders.entries()) {
        makeGroup(folder)
        for (const [file, value] of settings(limits)[index] ?? []) writeFileSync(join(folder, file), value)
      }
      made.add(name)
      return folders
    }
    // finds out whether it is possible
    foldersOf('probe').forEach((folder) => rmdirSync(folder))
    made.clear()
    return {
      add(name, pid) {
        for (const folder of foldersOf(name)) writeFileSync(join(folder, 'cgroup.procs'), String(pid))
      },
      command(name, argv) {
        const files = foldersOf(name).map((folder) => join(folder, 'cgroup.procs'))
        const enter = `set -e; ${files.map((file) => `echo $$ > '${file}'; `).join('')}exec "$@"`
        return ['/bin/sh', '-c', enter, 'sh', ...argv]
      },
      async remove() {
        const folders = [...made].flatMap(foldersOf)
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

function hierarchy(): Hierarchy {
  return exists(join(root, 'cgroup.controllers')) ? unified() : separate()
}

/** Version 2: one group has all controllers, if its parent passes them on. */
function unified(): Hierarchy {
  const base = join(root, own)
  passOn(root)
  makeGroup(base)
  passOn(base)
  return {
    bases: [base],
    settings: ({ memoryMiB, tasks }) => [
      [
        ['memory.max', String(memoryMiB * 2 ** 20)],
        ['pids.max', String(tasks)],
      ],
    ],
  }
}

function passOn(group: string): void {
  const file = join(group, 'cgroup.subtree_control')
  const enabled = readFileSync(file, 'utf8').trim().split(' ')
  const missing = limited.filter((name) => !enabled.includes(name))
  if (missing.length > 0) writeFileSync(file, missing.map((name) => `+${name}`).join(' '))
  try {
    if (!enabled.includes(shared)) writeFileSync(file, `+${shared}`)
  } catch {
    // the host has no such controller, or processes with realtime scheduling
  }
}

/** Version 1: a hierarchy for each controller. */
function separate(): Hierarchy {
  const has = (controller: string) => exists(join(root, controller, 'cgroup.procs'))
  const missing = limited.find((controller) => !has(controller))
  if (missing !== undefined) throw new Error(`there is no control group for ${missing} in ${root}`)
  return {
    bases: [...limited, shared].filter(has).map((controller) => {
      const base = join(root, controller, own)
      makeGroup(base)
      return base
    }),
    settings: ({ memoryMiB, tasks }) => [
      [['memory.limit_in_bytes', String(memoryMiB * 2 ** 20)]],
      [['pids.max', String(tasks)]],
    ],
  }
}

function makeGroup(folder: string): void {
  if (!exists(folder)) mkdirSync(folder)
}

/** Tries to remove a group. */
function isRemoved(folder: string): boolean {
  if (!exists(folder)) return true
  try {
    rmdirSync(folder)
    return true
  } catch {
    // it has processes or groups
    return false
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
