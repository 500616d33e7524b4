import type { Finding } from './finding.js'
import { nodeLines } from './requirements.js'

/** Whether a version of Node ("20.19.1") is one that vethlab supports. */
export function nodeFinding(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const newest = nodeLines.at(-1)?.[0] ?? 0
  const ok = major > newest || nodeLines.some(([line, least]) => line === major && minor >= (least ?? 0))
  const supported = nodeLines.map((line) => line.join('.')).join(', ')
  return {
    group: 'node',
    name: 'node',
    status: ok ? 'ok' : 'missing',
    required: true,
    neededFor: 'vethlab itself',
    detail: version,
    remedy: ok ? undefined : `install Node ${supported} or newer from https://nodejs.org/en/download`,
  }
}
