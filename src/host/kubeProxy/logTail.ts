import type { Sandbox } from '../sandbox/sandbox.js'

/** Longest line that is shown: kube-proxy sometimes logs complete objects. */
const longestLine = 400

/** The last lines of a log inside the sandbox; empty if there is no log. */
export function logTail(sandbox: Sandbox, log: string): string {
  try {
    return lastLines(sandbox.inside.read(log))
  } catch {
    return ''
  }
}

/** The last lines of a log, as many as errors show; without the stacks that a Go program prints after its fatal error. */
export function lastLines(log: string): string {
  const stacks = log.search(/^goroutine \d+ \[/m)
  return (stacks > 0 ? log.slice(0, stacks) : log)
    .trim()
    .split('\n')
    .slice(-5)
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
    .join('\n')
}
