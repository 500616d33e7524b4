import type { Sandbox } from '../sandbox/sandbox.js'

/** Longest line that is shown: kube-proxy sometimes logs complete objects. */
const longestLine = 400

/** The last lines of a log inside the sandbox, as many as errors show; empty if there is no log. */
export function logTail(sandbox: Sandbox, log: string): string {
  try {
    const lines = sandbox.inside.read(log).trim().split('\n').slice(-5)
    return lines
      .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
      .join('\n')
  } catch {
    return ''
  }
}
