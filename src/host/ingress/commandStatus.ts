import type { InsideFiles } from '../sandbox/insideFiles.js'
import { statusFile } from './commandProgram.js'

/** Whether this environment is of a user's own program that tells in this folder, inside the sandbox, what it serves. */
export function isCommand(environment: string, folder: string): boolean {
  return environment.split('\0').includes(`VETHLAB_INGRESS_STATUS=${folder}/${statusFile}`)
}

/** What it tells there; a file that is being written, or that holds something else, is no status yet. */
export function commandStatus(inside: InsideFiles, folder: string): ProxyStatus | undefined {
  try {
    const said: unknown = JSON.parse(inside.read(`${folder}/${statusFile}`))
    if (typeof said !== 'object' || said === null || !('generation' in said)) return undefined
    const error = 'error' in said && typeof said.error === 'string' ? said.error : undefined
    return { generation: String(said.generation), error }
  } catch {
    return undefined
  }
}

/** What a replica says of the configuration that it has read last. */
export interface ProxyStatus {
  readonly generation: string
  /** Why it serves what it served before instead. */
  readonly error?: string | undefined
}
