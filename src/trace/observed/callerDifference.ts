import type { RequestResult } from '../../results/request.js'
import { isAnswered } from '../model/isAnswered.js'
import { lastReceiver } from '../model/lastReceiver.js'
import type { Path } from '../model/steps.js'
import type { TraceComparison } from './compare.js'

/**
 * A comparison with what the program that called got, where that is not what the path says. What a server answers that is not one of
 * vethlab is not predicted: no answer of it differs.
 */
export function withCaller(
  comparison: TraceComparison,
  path: Path | undefined,
  result: RequestResult,
  got: string,
): TraceComparison {
  // the reason is what the kernel did
  if (path === undefined || comparison.differences.length > 0 || fits(path, result)) return comparison
  const { end } = path
  const predicted = end.http?.status === undefined ? end.caller : `HTTP ${end.http.status}`
  const place = path.hops[0]?.place ?? end.place
  return { ...comparison, differences: [{ place, what: 'caller', predicted, observed: got }] }
}

function fits(path: Path, { outcome, http, stdout }: RequestResult): boolean {
  const { end } = path
  const passed = outcome === 'answered' && (http?.status ?? 200) < 400
  switch (end.caller) {
    case 'answer':
      if (end.http?.status !== undefined && http !== undefined) return http.status === end.http.status
      // the error of a proxy whose own connection fails
      if (!isAnswered(end)) return !passed
      if (lastReceiver(path)?.known === true) return passed
      return outcome !== 'refused' && outcome !== 'unreachable'
    case 'connection refused':
      return outcome === 'refused'
    // how long the kernel waits for a neighbour is not predicted
    case 'unreachable':
      return outcome === 'unreachable' || outcome === 'timeout'
    case 'reset':
      return outcome === 'reset' || outcome === 'failed' || (http === undefined && stdout === '')
    case 'protocol error':
      return outcome === 'failed' || outcome === 'reset'
    case 'timeout':
      return outcome === 'timeout'
    case 'unknown':
      return true
  }
}
