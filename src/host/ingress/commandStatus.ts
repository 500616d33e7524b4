import type { InsideFiles } from '../sandbox/insideFiles.js'
import { statusFile } from './commandProgram.js'

/** Whether this environment belongs to a user's program with its status file in this folder of the sandbox. */
export function isCommand(environment: string, folder: string): boolean {
  return environment.split('\0').includes(`VETHLAB_INGRESS_STATUS=${folder}/${statusFile}`)
}

/** The status in that file; undefined if the file is incomplete or not a status. */
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

/** A replica's report on the configuration that it read last. */
export interface ProxyStatus {
  readonly generation: string
  /** Why it still serves the previous configuration. */
  readonly error?: string | undefined
}
