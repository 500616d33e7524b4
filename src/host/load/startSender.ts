import type { Action } from '../../results/request.js'
import { keepsConnections } from '../actions/curl.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { startCurlSender } from './curlSender.js'
import { startRepeatSender } from './repeatSender.js'
import type { Sender, SenderOptions } from './types.js'

/** First curl that paces its own requests (`--rate`). */
const pacingCurl = [7, 84] as const

/**
 * Starts what sends the requests of a load: one curl for all where it can pace itself and ends its
 * connections, else a process for each.
 */
export function startSender(
  sandbox: Sandbox,
  request: Action,
  options: SenderOptions,
  curlPaces: boolean,
): Sender {
  return request.kind === 'curl' && curlPaces && !keepsConnections(request)
    ? startCurlSender(sandbox, request, options)
    : startRepeatSender(sandbox, request, options)
}

/** Whether a curl that says so of its version (`curl --version`) can pace its own requests. */
export function canPace(version: string): boolean {
  const [, major, minor] = /^curl (\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > pacingCurl[0] || (Number(major) === pacingCurl[0] && Number(minor) >= pacingCurl[1])
}
