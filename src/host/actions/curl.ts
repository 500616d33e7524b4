import { hostText } from '../../net/socketText.js'
import { randomBytes } from 'node:crypto'
import type { Action, EchoReply, Outcome, RequestResult } from '../../results/request.js'
import { requestIdHeader } from '../../packets/passedOn.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import { parseEcho } from './echo.js'
import { timeouts, type Repetition } from './repetition.js'

type CurlAction = Extract<Action, { kind: 'curl' }>

/** Only the verbose text tells a refused connection from an unreachable host (exit code 7 means both). */
export const tellingFlags = ['--silent', '--show-error', '--verbose', '--include', '--noproxy', '*']

/** Transfers that one curl process makes, one after the other: a process per request would cost more than the request. */
const transfersPerProcess = 250

/** As many where they fail at once, and timeouts are to end them: between processes they can be counted. */
const failingPerProcess = 4

/**
 * Whether the server may be spoken to in HTTP/2, which keeps a connection whatever the headers say: then only a process of
 * its own gives each request one of its own.
 */
export function keepsConnections({ url, http }: Pick<CurlAction, 'url' | 'http'>): boolean {
  return http === 2 || (http === undefined && new URL(url).protocol === 'https:')
}

/** The arguments of one transfer, as a person would type them. */
export function curlArguments(action: CurlAction): string[] {
  return [
    ...(action.method === undefined ? [] : ['--request', action.method]),
    ...Object.entries(action.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...(action.body === undefined ? [] : ['--data-raw', action.body]),
    ...connectionArguments(action),
    '--max-time',
    String(action.timeoutSeconds),
    action.url,
  ]
}

/** How the server is found and spoken to. */
export function connectionArguments({ url, resolve, http, cacert, insecure }: CurlAction): string[] {
  const { protocol, hostname, port } = new URL(url)
  const host = [hostname, port || (protocol === 'https:' ? '443' : '80')].join(':')
  const address = resolve === undefined ? undefined : hostText(resolve)
  // without TLS nobody is asked whether 2 will do
  const two = protocol === 'https:' ? '--http2' : '--http2-prior-knowledge'
  return [
    ...(address === undefined ? [] : ['--resolve', `${host}:${address}`]),
    ...(http === undefined ? [] : [http === 2 ? two : '--http1.1']),
    ...(cacert === undefined ? [] : ['--cacert', cacert]),
    ...(insecure === true ? ['--insecure'] : []),
  ]
}

/** Makes the request as often as asked from a namespace, each over a connection of its own. */
export async function runCurl(
  sandbox: Sandbox,
  netns: string,
  action: CurlAction,
  { repeat, giveUpAfter, requestIds = false, connectSeconds }: Repetition,
): Promise<RequestResult[]> {
  const results: RequestResult[] = []
  // curl itself can stop at a failure: only so can repeated timeouts be given up
  const givesUp = giveUpAfter < repeat
  let stopEarly = givesUp
  const together = keepsConnections(action) ? 1 : transfersPerProcess
  while (results.length < repeat && timeouts(results) < giveUpAfter) {
    const most = givesUp && !stopEarly ? Math.min(failingPerProcess, together) : together
    const count = Math.min(most, repeat - results.length)
    const made = await transfers(sandbox, netns, action, { count, stopEarly, requestIds, connectSeconds })
    results.push(...made)
    // what fails at once may go on failing at once
    const last = made.at(-1)?.outcome
    stopEarly &&= last === 'answered' || last === 'timeout'
  }
  return results
}

interface Transfers {
  readonly count: number
  readonly stopEarly: boolean
  readonly requestIds: boolean
  readonly connectSeconds: number | undefined
}

async function transfers(
  sandbox: Sandbox,
  netns: string,
  action: CurlAction,
  { count, stopEarly, requestIds, connectSeconds }: Transfers,
): Promise<RequestResult[]> {
  // a boundary that no server can know ends each answer
  const boundary = `vethlab-${randomBytes(12).toString('hex')}`
  const own = Object.entries(action.headers).find(([name]) => name.toLowerCase() === requestIdHeader)?.[1]
  const ids = Array.from({ length: count }, () => own ?? (requestIds ? newRequestId() : undefined))
  const one = (id: string | undefined) => [
    ...tellingFlags,
    '--globoff',
    ...(count > 1 ? ['--header', 'Connection: close'] : []),
    ...(id === undefined || id === own ? [] : ['--header', `X-Request-ID: ${id}`]),
    ...['--write-out', `\n${boundary}%{json}\n%{stderr}\n${boundary}\n`],
    ...(connectSeconds === undefined ? [] : ['--connect-timeout', String(connectSeconds)]),
    ...curlArguments(action),
  ]
  const all = ids.flatMap((id, index) => [...(index === 0 ? [] : ['--next']), ...one(id)])
  const argv = ['curl', '--disable', ...(stopEarly ? ['--fail-early'] : []), ...all]
  const quietMs = action.timeoutSeconds * 1000 + longestCommandMs
  const { stdout, stderr, exitCode } = await sandbox.run(argv, { netns, files: netns, quietMs })
  // each transfer leaves: its answer, the boundary, a line of JSON
  const pieces = stdout.split(`\n${boundary}`)
  const talk = stderr.split(`\n${boundary}\n`)
  const results: RequestResult[] = []
  for (let index = 0; index + 1 < pieces.length; index++) {
    const answer = index === 0 ? (pieces[0] ?? '') : afterFirstLine(pieces[index] ?? '')
    const result = toResult(answer, firstLine(pieces[index + 1] ?? ''), talk[index] ?? '')
    const requestId = ids[index]
    results.push(requestId === undefined ? result : { ...result, requestId })
  }
  return results.length > 0 ? results : [{ outcome: 'failed', exitCode, stdout, stderr, durationMs: 0 }]
}

function newRequestId(): string {
  return randomBytes(8).toString('hex')
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}

function afterFirstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? '' : text.slice(end + 1)
}

/** What curl's `%{json}` says of one transfer (curl(1), --write-out). */
interface Report {
  readonly exitcode?: number
  readonly errormsg?: string | null
  readonly http_code?: number
  readonly local_ip?: string
  readonly local_port?: number
  readonly remote_ip?: string
  readonly remote_port?: number
  readonly time_total?: number
}

/** A request from what curl printed of it: the answer with its headers, `%{json}`, and the verbose text. */
export function toResult(answer: string, json: string, talk: string): RequestResult {
  const report = JSON.parse(json) as Report
  const exitCode = report.exitcode ?? 0
  const error = report.errormsg ?? ''
  const http = exitCode === 0 && (report.http_code ?? 0) > 0 ? parseHttp(answer) : undefined
  const echo: EchoReply | undefined = http === undefined ? undefined : parseEcho(http.body)
  return {
    outcome: curlOutcome(exitCode, talk),
    exitCode,
    stdout: http?.body ?? answer,
    stderr: exitCode === 0 ? '' : `curl: (${exitCode}) ${error}\n`,
    durationMs: (report.time_total ?? 0) * 1000,
    ...(/^\*\s+Trying /m.test(talk) ? { connecting: true as const } : {}),
    ...(http === undefined ? {} : { http }),
    ...socket('local', report.local_ip, report.local_port),
    ...socket('remote', report.remote_ip, report.remote_port),
    ...(echo === undefined ? {} : { echo }),
  }
}

function socket(key: 'local' | 'remote', address: string | undefined, port: number | undefined) {
  return address === undefined || address === ''
    ? {}
    : { [key]: { address, ...(port === undefined ? {} : { port }) } }
}

/** Exit codes of curl(1): 7 could not connect, 28 time is up, 52 empty answer, 56 failure in receiving. */
function curlOutcome(exitCode: number, talk: string): Outcome {
  if (exitCode === 0) return 'answered'
  if (exitCode === 28) return 'timeout'
  if (/connection refused/i.test(talk)) return 'refused'
  if (/network is unreachable|no route to host|host is unreachable/i.test(talk)) return 'unreachable'
  if (/connection reset/i.test(talk) || exitCode === 52) return 'reset'
  return 'failed'
}

/** Splits what `--include` prints; interim answers (100 Continue) come before the one that counts. */
function parseHttp(text: string): NonNullable<RequestResult['http']> {
  let rest = text
  let status = 0
  let version = ''
  let headers: Record<string, string> = {}
  for (;;) {
    const match = /^HTTP\/([\d.]+) (\d{3})[^\n]*\r?\n/.exec(rest)
    if (match === null) return { status, version, headers, body: rest }
    const end = /\r?\n\r?\n/.exec(rest)
    const head = end === null ? rest : rest.slice(0, end.index)
    version = match[1] ?? ''
    status = Number(match[2])
    headers = Object.fromEntries(
      head
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(/:\s*(.*)/s) as [string, string | undefined])
        .map(([name, value]) => [name.toLowerCase(), value ?? '']),
    )
    rest = end === null ? '' : rest.slice(end.index + end[0].length)
    if (status >= 200) return { status, version, headers, body: rest }
  }
}
