import { randomBytes } from 'node:crypto'
import type { Action } from '../../results/request.js'
import { curlArguments, outputFlags, toResult } from '../actions/curl.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { hung, longestCommandMs } from '../sandbox/toolFailure.js'
import { createConditions } from './condition.js'
import type { Sender, SenderOptions, SentRequest } from './types.js'

type CurlAction = Extract<Action, { kind: 'curl' }>

/** More requests than any lab sends; the fragment with the counter is never sent. */
const endlessly = '#[1-1000000000]'

/**
 * Sends HTTP requests from a namespace with one curl process, each over a new connection. It needs curl 7.84
 * (`--rate`); see `startSender`.
 */
export function startCurlSender(
  sandbox: Sandbox,
  action: CurlAction,
  { netns, everySeconds, connectSeconds }: SenderOptions,
): Sender {
  const boundary = `vethlab-${randomBytes(12).toString('hex')}`
  const argv = ['curl', '--disable', '--no-buffer', ...flags(boundary, everySeconds, connectSeconds)]
  const running = sandbox.start([...argv, ...curlArguments({ ...action, url: globbed(action.url) })], {
    netns,
    files: netns,
  })
  const { process: child } = running
  const patienceMs = action.timeoutSeconds * 1000 + longestCommandMs
  const kill = async () => {
    stopped = true
    const pid = running.pid()
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    await ended
  }
  /** Waits for a condition; throws CannotRunError if curl hangs. */
  const must = async (condition: () => boolean) => {
    await conditions.until(condition, patienceMs)
    if (condition()) return
    await kill()
    throw hung(argv, { netns, afterMs: patienceMs })
  }
  const transfers: { json: string; verbose: string; beganAt: number }[] = []
  const conditions = createConditions()
  let answers = ''
  let verbose = ''
  let trouble: string | undefined
  let stopped = false
  let over = false
  // standard error is not buffered: the report of a request comes when it ends
  child.stderr?.setEncoding('utf8').on('data', (data: string) => {
    verbose += data
    const pieces = verbose.split(boundary)
    while (pieces.length > 2) {
      const [before = '', json = ''] = pieces.splice(0, 2)
      const { time_total: seconds = 0 } = JSON.parse(json) as { time_total?: number }
      transfers.push({ json, verbose: before, beganAt: performance.now() - seconds * 1000 })
    }
    verbose = pieces.join(boundary)
    conditions.check()
  })
  child.stdout?.setEncoding('utf8').on('data', (data: string) => (answers += data))
  const ended = child.then(() => {
    over = true
    if (!stopped) trouble = verbose.trim().split('\n').at(-1)
    conditions.check()
  })
  const sent = () => {
    const pieces = answers.split(`\n${boundary}\n`)
    return transfers.map(({ beganAt, ...one }, index): SentRequest => ({
      beganAt,
      result: toResult(pieces[index] ?? '', one.json, one.verbose),
    }))
  }
  return {
    sent,
    trouble: () => trouble,
    first: () => must(() => transfers.length > 0 || trouble !== undefined),
    async stop() {
      stopped = true
      const count = transfers.length
      await must(() => transfers.length > count || over)
      await kill()
      transfers.splice(count + 1)
    },
  }
}

function flags(boundary: string, everySeconds: number, connectSeconds: number | undefined): string[] {
  return [
    ...outputFlags,
    ...['--header', 'Connection: close'],
    ...(connectSeconds === undefined ? [] : ['--connect-timeout', String(connectSeconds)]),
    ...['--rate', `${Math.max(1, Math.round(3600 / everySeconds))}/h`],
    ...['--write-out', `\\n${boundary}\\n%{stderr}${boundary}%{json}${boundary}`],
  ]
}

/** The URL with a counter as its fragment; characters special to curl's globbing are escaped. */
function globbed(url: string): string {
  const [origin = '', ...rest] = url.split(/(?<=^https?:\/\/[^/?#]*)(?=[/?#])/)
  const [path = ''] = rest.join('').split('#')
  return `${origin}${path.replaceAll(/[[\]{}\\]/g, (character) => `\\${character}`)}${endlessly}`
}
