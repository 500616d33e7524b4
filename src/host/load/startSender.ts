import type { Action } from '../../results/request.js'
import { keepsConnections } from '../actions/curl.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { startCurlSender } from './curlSender.js'
import { startRepeatSender } from './repeatSender.js'
import type { Sender, SenderOptions } from './types.js'

/** First version of curl that can pace its requests (`--rate`). */
const pacingCurl = [7, 84] as const

/**
 * Starts the sender of a load: one curl process for all requests if it can pace them and close each connection, else a
 * process for each.
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

/** Whether the curl with this output of `curl --version` can pace its requests. */
export function canPace(version: string): boolean {
  const [, major, minor] = /^curl (\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > pacingCurl[0] || (Number(major) === pacingCurl[0] && Number(minor) >= pacingCurl[1])
}
