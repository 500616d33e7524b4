import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Limits of a control group: memory in bytes, and tasks, which are processes and threads. */
export interface Limits {
  readonly memory: number
  readonly tasks: number
}

/** A file of a group, and what is written to it. */
type Setting = readonly [file: string, value: string]

/** Where groups of one kind are (cgroups(7)). */
export interface GroupHierarchy {
  /** The folders of vethlab, one for each hierarchy of the kernel that it uses. */
  readonly bases: readonly string[]
  /** Creates the folders of a group with limits: one below each base. */
  readonly make: (name: string, limits: Limits) => readonly string[]
  /** Changes the limits of a group that exists. */
  readonly limit: (name: string, limits: Limits) => void
}

/** The controllers of the limits. */
const limited = ['memory', 'pids']
/** The controller of shares: a group has the usual one. */
const shared = 'cpu'

/** Where the host has its control groups. */
export const groupsRoot = '/sys/fs/cgroup'

export interface HierarchyOptions {
  /** The name of vethlab's folder. */
  readonly own: string
  /** Groups get equal shares of the processors, if the host has that controller. */
  readonly shares: boolean
  readonly root?: string | undefined
}

/** The groups of vethlab, of version 1 or 2. Throws an error that says why this host has none: no permission, or no controllers. */
export function groupHierarchy(options: HierarchyOptions): GroupHierarchy {
  const { root = groupsRoot } = options
  const { bases, settings } = isUnified(root) ? unified(root, options) : separate(root, options)
  const foldersOf = (name: string) => bases.map((base) => join(base, name))
  const limit = (name: string, limits: Limits) => {
    for (const [index, folder] of foldersOf(name).entries()) {
      limitSwap(folder, undefined)
      for (const [file, value] of settings(limits)[index] ?? []) writeFileSync(join(folder, file), value)
      limitSwap(folder, limits.memory)
    }
  }
  return {
    bases,
    limit,
    make(name, limits) {
      const folders = foldersOf(name)
      folders.forEach(makeGroup)
      limit(name, limits)
      return folders
    },
  }
}

/** Whether a host has version 2, with all controllers in one hierarchy. */
export function isUnified(root: string): boolean {
  return exists(join(root, 'cgroup.controllers'))
}

interface Version {
  readonly bases: readonly string[]
  /** The limits of a group, by the index of the base. */
  readonly settings: (limits: Limits) => readonly (readonly Setting[])[]
}

/** Version 2: one group has all controllers, if its parent passes them on. */
function unified(root: string, { own, shares }: HierarchyOptions): Version {
  const base = join(root, own)
  passOn(root, shares)
  makeGroup(base)
  passOn(base, shares)
  return {
    bases: [base],
    settings: ({ memory, tasks }) => [
      [
        ['memory.max', String(memory)],
        ['pids.max', String(tasks)],
      ],
    ],
  }
}

function passOn(group: string, shares: boolean): void {
  const file = join(group, 'cgroup.subtree_control')
  const enabled = readFileSync(file, 'utf8').trim().split(' ')
  const missing = limited.filter((name) => !enabled.includes(name))
  if (missing.length > 0) writeFileSync(file, missing.map((name) => `+${name}`).join(' '))
  try {
    if (shares && !enabled.includes(shared)) writeFileSync(file, `+${shared}`)
  } catch {
    // the host has no such controller, or processes with realtime scheduling
  }
}

/** Version 1: a hierarchy for each controller. */
function separate(root: string, { own, shares }: HierarchyOptions): Version {
  const has = (controller: string) => exists(join(root, controller, 'cgroup.procs'))
  const missing = limited.find((controller) => !has(controller))
  if (missing !== undefined) throw new Error(`there is no control group for ${missing} in ${root}`)
  return {
    bases: [...limited, ...(shares ? [shared] : [])].filter(has).map((controller) => {
      const base = join(root, controller, own)
      makeGroup(base)
      return base
    }),
    settings: ({ memory, tasks }) => [
      [['memory.limit_in_bytes', String(memory)]],
      [['pids.max', String(tasks)]],
    ],
  }
}

/** Without this limit, a group that has reached its limit of memory fills the swap of the host. Removed if undefined. */
function limitSwap(folder: string, memory: number | undefined): void {
  try {
    const two = join(folder, 'memory.swap.max')
    if (exists(two)) writeFileSync(two, '0')
    // version 1 limits the sum, which cannot be less than the limit of memory
    const one = join(folder, 'memory.memsw.limit_in_bytes')
    if (exists(one)) writeFileSync(one, String(memory ?? -1))
  } catch {
    // the kernel does not count swap
  }
}

function makeGroup(folder: string): void {
  if (!exists(folder)) mkdirSync(folder)
}

/** Tries to remove a group; false if it has processes or groups. */
export function isRemoved(folder: string): boolean {
  if (!exists(folder)) return true
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** A prefix that makes a command enter groups, before it does anything else: its processes are in them from their start. */
export function enterGroups(folders: readonly string[]): readonly string[] {
  const files = folders.map((folder) => join(folder, 'cgroup.procs'))
  // 0 is the process that writes (cgroups(7)). Without the group the sandbox has ended: the exit code is that of nsenter then
  return [
    '/bin/sh',
    '-c',
    `${files.map((file) => `echo 0 > '${file}' || exit 1; `).join('')}exec "$@"`,
    'enter-group',
  ]
}
