import { $ } from 'zx'
import type { BroughtUp } from './workers/bringUp.js'
import type { Workspace } from './workspace.js'

const worker = new URL('workers/bringUp.ts', import.meta.url)

/** Creates a lab's topology in a separate process, and removes it again. */
export async function bringUp(workspace: Workspace, lab: string): Promise<BroughtUp> {
  const script = await workspace.bundle(worker)
  const { stdout } = await $({ quiet: true })`${process.execPath} ${script} ${lab}`
  return JSON.parse(stdout) as BroughtUp
}
