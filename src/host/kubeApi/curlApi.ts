import { execa } from 'execa'
import { SandboxError } from '../../errors.js'
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

/** The time limit for a complete answer; watches and followed logs have none. */
const answerSeconds = 60

/** What curl(1) exits with when a time limit is reached. */
const curlTimeout = 28

/**
 * The answer to a request to the Kubernetes API of a sandbox. Throws SandboxError, with `what` in the message, when there is none within
 * the time limit.
 */
export async function askApi(
  what: string,
  sandbox: Pick<Sandbox, 'command'>,
  target: { readonly url: string; readonly token: string },
  flags: readonly string[],
  limitSeconds = answerSeconds,
): Promise<{ readonly status: number; readonly text: string }> {
  const { stdout, exitCode } = await curlApi(sandbox, target, [
    ...['--max-time', String(limitSeconds), '--write-out', '\\n%{http_code}'],
    ...flags,
  ])
  const end = stdout.lastIndexOf('\n')
  const [text, status] = [stdout.slice(0, end), Number(stdout.slice(end + 1))]
  if (exitCode === curlTimeout)
    throw new SandboxError(
      `${what} does not answer`,
      `its Kubernetes API sent no answer in ${limitSeconds} s`,
    )
  if (status === 0) throw new SandboxError(`${what} does not answer`, 'its API cannot be reached')
  return { status, text }
}
