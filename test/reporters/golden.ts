import { readFileSync } from 'node:fs'
import { createReporter } from '../../src/reporters/index.js'
import type { TextReporterName } from '../../src/reporters/names.js'
import type { LabEvent, LabResult } from '../../src/results/events.js'
import { eventsOf } from './fixture.js'

/** The output of a reporter for these events. */
export function report(
  name: TextReporterName,
  events: readonly LabEvent[],
  options: { colour?: boolean; width?: number; verbose?: boolean; kept?: boolean } = {},
): string {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const reporter = createReporter(name, {
    write,
    colour: options.colour ?? false,
    width: options.width ?? 80,
    language: 'en',
    verbose: options.verbose ?? false,
    kept: options.kept ?? false,
  })
  for (const event of events) reporter.on(event)
  reporter.end()
  return text
}

/** The events of several labs that run in parallel, interleaved. */
export function interleaved(results: readonly LabResult[]): LabEvent[] {
  const queues = results.map(eventsOf)
  const events: LabEvent[] = []
  while (queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) events.push(...queue.splice(0, 1))
  }
  return events
}

/** The text of a file in test/golden/reporters. */
export function golden(file: string): string {
  return readFileSync(`test/golden/reporters/${file}`, 'utf8')
}
