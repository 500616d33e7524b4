import { execa } from 'execa'
import { asTool } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup } from '../sandbox/toolFailure.js'

/** Runs curl in a sandbox for a URL of its Kubernetes API; the signal ends the request. */
export function curlApi(
  sandbox: Pick<Sandbox, 'command'>,
  url: string,
  flags: readonly string[],
  signal?: AbortSignal,
) {
  const argv = ['curl', '--disable', '--silent', '--globoff', '--noproxy', '*', ...flags, url]
  const [file = '', ...rest] = sandbox.command(argv)
  const started = execa(file, rest, {
    ...asTool(),
    stdin: 'ignore',
    // nsenter forks: curl is in its process group
    detached: signal !== undefined,
  })
  signal?.addEventListener('abort', () => endGroup(started.pid))
  return started
}
