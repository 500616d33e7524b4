import { execa } from 'execa'
import { asTool } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup } from '../sandbox/toolFailure.js'

/**
 * Runs curl in a sandbox for a URL of its Kubernetes API, with a bearer token, which no list of processes shows; the signal
 * ends the request.
 */
export function curlApi(
  sandbox: Pick<Sandbox, 'command'>,
  { url, token }: { readonly url: string; readonly token: string },
  flags: readonly string[],
  signal?: AbortSignal,
) {
  const argv = [
    'curl',
    '--disable',
    '--silent',
    '--globoff',
    '--noproxy',
    '*',
    '--config',
    '-',
    ...flags,
    url,
  ]
  const [file = '', ...rest] = sandbox.command(argv)
  const started = execa(file, rest, {
    ...asTool(),
    input: `header = "Authorization: Bearer ${token}"\n`,
    // nsenter forks: curl is in its process group
    detached: signal !== undefined,
  })
  signal?.addEventListener('abort', () => endGroup(started.pid))
  return started
}
