import { $ } from 'zx'
import type { BroughtUp } from './workers/bringUp.js'
import type { Workspace } from './workspace.js'

const worker = new URL('workers/bringUp.ts', import.meta.url)

/** Brings a lab's topology up in a process of its own, and takes it down again. */
export async function bringUp(workspace: Workspace, lab: string): Promise<BroughtUp> {
  const script = await workspace.bundle(worker)
  const { stdout } = await $({ quiet: true })`${process.execPath} ${script} ${lab}`
  return JSON.parse(stdout) as BroughtUp
}
