import { $ } from 'zx'
import type { WroteRules } from './workers/writeRules.js'
import type { Workspace } from './workspace.js'

const worker = new URL('workers/writeRules.ts', import.meta.url)

/** Writes the rules of many Services in a separate process, and to a file if one is given. */
export async function writeRules(
  workspace: Workspace,
  services: number,
  endpoints: number,
  file?: string,
): Promise<WroteRules> {
  const script = await workspace.bundle(worker)
  const args = [services, endpoints, ...(file === undefined ? [] : [file])]
  const { stdout } = await $({ quiet: true })`${process.execPath} ${script} ${args}`
  return JSON.parse(stdout) as WroteRules
}
