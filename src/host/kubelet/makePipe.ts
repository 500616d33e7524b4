import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { toolEnvironment } from '../environment.js'

/** Makes a named pipe, which Node cannot, at a path that may begin with /proc/self; replaces a file that has the name. */
export function makePipe(path: string): void {
  rmSync(path, { force: true })
  const argv = ['-m', '600', path.replace('/proc/self/', `/proc/${process.pid}/`)]
  const { status, error, stderr } = spawnSync('mkfifo', argv, { env: toolEnvironment() })
  if (status !== 0) throw error ?? new Error(`mkfifo: ${stderr.toString()}`)
}
