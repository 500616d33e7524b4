import { spawn } from 'node:child_process'
import { SandboxError } from '../../errors.js'
import { toolEnvironment } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { endGroup } from '../sandbox/toolFailure.js'

/** A request to the Kubernetes API of a sandbox. */
export interface ApiCall {
  readonly url: string
  /** Not shown in any list of processes. */
  readonly token: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer; the body comes as it is sent: a watch does not end. */
export interface ApiAnswer {
  readonly status: number
  readonly type: string
  readonly body: AsyncIterable<Buffer>
}

/** The time limit for the headers of an answer, which a watch sends at once too. */
const headersMs = 60_000

/**
 * Sends a request from inside a sandbox, by curl; the signal ends it. Throws SandboxError when no answer begins within the time
 * limit.
 */
export async function callApi(
  sandbox: Pick<Sandbox, 'command'>,
  call: ApiCall,
  signal: AbortSignal,
  limitMs = headersMs,
): Promise<ApiAnswer> {
  const argv = ['curl', '--disable', '--silent', '--no-buffer', '--include', '--globoff', '--path-as-is']
  const [file = '', ...rest] = sandbox.command([...argv, '--http1.1', '--noproxy', '*', '--config', '-'])
  // nsenter forks: curl is in its process group
  const curl = spawn(file, rest, {
    ...{ env: toolEnvironment(), detached: true },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const end = () => endGroup(curl.pid)
  signal.addEventListener('abort', end)
  let late = false
  const timer = setTimeout(() => {
    late = true
    end()
  }, limitMs)
  curl.once('exit', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  })
  curl.once('error', () => curl.stdout.destroy())
  // it may end before it has read everything
  curl.stdin.on('error', () => undefined)
  curl.stdin.end(configOf(call))
  const chunks = curl.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  let start = Buffer.alloc(0)
  for (;;) {
    const at = start.indexOf('\r\n\r\n')
    if (at >= 0) {
      clearTimeout(timer)
      const [, status = '0'] = /^HTTP\/\S+ (\d{3})/.exec(start.toString('latin1')) ?? []
      const [, type = 'text/plain'] =
        /\r\ncontent-type: *([^\r]+)/i.exec(start.toString('latin1', 0, at)) ?? []
      return { status: Number(status), type, body: followedBy(start.subarray(at + 4), chunks) }
    }
    const next = await chunks.next()
    if (next.done === true)
      throw new SandboxError(
        'the lab does not answer',
        late
          ? `its Kubernetes API sent no answer in ${limitMs / 1000} s`
          : 'its Kubernetes API cannot be reached',
      )
    start = Buffer.concat([start, next.value])
  }
}

/** A config file of curl (curl(1), --config): its quoted values may be of any length. */
function configOf({ url, token, method, headers, body }: ApiCall): string {
  const own = { ...headers, authorization: `Bearer ${token}`, expect: '' }
  const lines = Object.entries(own).map(([name, value]) => ['header', `${name}: ${value}`] as const)
  const data = body === '' ? [] : [['data-binary', body] as const]
  return [['url', url] as const, ['request', method] as const, ...lines, ...data]
    .map(([name, value]) => `${name} = "${value.replaceAll(/[\\"\n\r\t\v]/g, escaped)}"\n`)
    .join('')
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

function escaped(char: string): string {
  return escapes[char] ?? `\\${char}`
}

async function* followedBy(
  first: Buffer,
  rest: AsyncIterator<Buffer, undefined>,
): AsyncGenerator<Buffer, void> {
  if (first.length > 0) yield first
  for (;;) {
    const { value, done } = await rest.next()
    if (done === true || value === undefined) return
    yield value
  }
}
