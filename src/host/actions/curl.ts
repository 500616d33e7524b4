import { hostText } from '../../net/hostText.js'
import { randomBytes } from 'node:crypto'
import type { Action, EchoReply, Outcome, RequestResult } from '../../results/request.js'
import { requestIdHeader } from '../../packets/passedOn.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { longestCommandMs } from '../sandbox/toolFailure.js'
import { parseEcho } from './echo.js'
import { isLost, lost, type Repetition } from './repetition.js'

type CurlAction = Extract<Action, { kind: 'curl' }>

/** The verbose text is needed because exit code 7 means both a refused connection and an unreachable host. */
export const outputFlags = ['--silent', '--show-error', '--verbose', '--include', '--noproxy', '*']

/** Transfers of one curl process, one after the other: a process per request would cost more than the request. */
const transfersPerProcess = 250

/** The same for requests that fail at once: lost ones are counted between processes. */
const failingPerProcess = 4

/**
 * Whether the request may use HTTP/2, which keeps its connection in spite of `Connection: close`: a new connection for
 * each request then needs a process for each.
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

/** The arguments for name resolution, TLS and the HTTP version. */
function connectionArguments({ url, resolve, http, cacert, insecure }: CurlAction): string[] {
  const { protocol, hostname, port } = new URL(url)
  const host = [hostname, port || (protocol === 'https:' ? '443' : '80')].join(':')
  const address = resolve === undefined ? undefined : hostText(resolve)
  // without TLS the HTTP version is not negotiated
  const two = protocol === 'https:' ? '--http2' : '--http2-prior-knowledge'
  return [
    ...(address === undefined ? [] : ['--resolve', `${host}:${address}`]),
    ...(http === undefined ? [] : [http === 2 ? two : '--http1.1']),
    ...(cacert === undefined ? [] : ['--cacert', cacert]),
    ...(insecure === true ? ['--insecure'] : []),
  ]
}

/** Sends the request from a namespace as often as requested, each over a new connection. */
export async function runCurl(
  sandbox: Sandbox,
  netns: string,
  action: CurlAction,
  { repeat, giveUpAfter, requestIds = false, connectSeconds }: Repetition,
): Promise<RequestResult[]> {
  const results: RequestResult[] = []
  // curl stops at the first failure, so that lost requests can be counted
  const givesUp = giveUpAfter < repeat
  let stopEarly = givesUp
  const together = keepsConnections(action) ? 1 : transfersPerProcess
  while (results.length < repeat && lost(results) < giveUpAfter) {
    const most = givesUp && !stopEarly ? Math.min(failingPerProcess, together) : together
    const count = Math.min(most, repeat - results.length)
    const made = await transfers(sandbox, netns, action, { count, stopEarly, requestIds, connectSeconds })
    results.push(...made)
    // requests that fail at once may continue to do so
    const last = made.at(-1)?.outcome
    stopEarly &&= last === 'answered' || isLost(last)
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
  // a random boundary, which no server can know, ends each answer
  const boundary = `vethlab-${randomBytes(12).toString('hex')}`
  const own = Object.entries(action.headers).find(([name]) => name.toLowerCase() === requestIdHeader)?.[1]
  const ids = Array.from({ length: count }, () => own ?? (requestIds ? newRequestId() : undefined))
  const one = (id: string | undefined) => [
    ...outputFlags,
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
  const { stdout, stderr, exitCode } = await sandbox.run(argv, { netns, files: netns, quietMs, tool: true })
  // output of each transfer: its answer, the boundary, a line of JSON
  const pieces = stdout.split(`\n${boundary}`)
  const verbose = stderr.split(`\n${boundary}\n`)
  const results: RequestResult[] = []
  for (let index = 0; index + 1 < pieces.length; index++) {
    const answer = index === 0 ? (pieces[0] ?? '') : afterFirstLine(pieces[index] ?? '')
    const result = toResult(answer, firstLine(pieces[index + 1] ?? ''), verbose[index] ?? '')
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

/** Fields of curl's `%{json}` for one transfer (curl(1), --write-out). */
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

/** The result of a request from curl's output: the answer with its headers, `%{json}`, and the verbose text. */
export function toResult(answer: string, json: string, verbose: string): RequestResult {
  const report = JSON.parse(json) as Report
  const exitCode = report.exitcode ?? 0
  const error = report.errormsg ?? ''
  const http = exitCode === 0 && (report.http_code ?? 0) > 0 ? parseHttp(answer) : undefined
  const echo: EchoReply | undefined = http === undefined ? undefined : parseEcho(http.body)
  return {
    outcome: curlOutcome(exitCode, verbose),
    exitCode,
    stdout: http?.body ?? answer,
    stderr: exitCode === 0 ? '' : `curl: (${exitCode}) ${error}\n`,
    durationMs: (report.time_total ?? 0) * 1000,
    ...(/^\*\s+Trying /m.test(verbose) ? { connecting: true as const } : {}),
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
function curlOutcome(exitCode: number, verbose: string): Outcome {
  if (exitCode === 0) return 'answered'
  if (exitCode === 28) return 'timeout'
  if (/connection refused/i.test(verbose)) return 'refused'
  // EACCES: a route prohibits it, or an error of ICMPv6 does
  if (/network is unreachable|no route to host|host is unreachable|fail.*: permission denied/i.test(verbose))
    return 'unreachable'
  if (/connection reset/i.test(verbose) || exitCode === 52) return 'reset'
  return 'failed'
}

/** Splits the output of `--include`; interim answers (100 Continue) come before the final one. */
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
