import { readFileSync } from 'node:fs'
import { statusFile } from './commandProgram.js'
import type { ProxyStatus } from './runningProxies.js'

/** Whether this environment is of a user's own program that tells in this folder, inside the sandbox, what it serves. */
export function isCommand(environment: string, folder: string): boolean {
  return environment.split('\0').includes(`VETHLAB_INGRESS_STATUS=${folder}/${statusFile}`)
}

/** What it tells there; a file that is being written, or that holds something else, is no status yet. */
export function commandStatus(folder: string): ProxyStatus | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(`${folder}/${statusFile}`, 'utf8'))
    if (typeof said !== 'object' || said === null || !('generation' in said)) return undefined
    const error = 'error' in said && typeof said.error === 'string' ? said.error : undefined
    return { generation: String(said.generation), error }
  } catch {
    return undefined
  }
}
