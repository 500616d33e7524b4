import { exitCode, InputError } from '../../errors.js'
import { readText } from '../../host/readText.js'
import type { LabEvent, Reporter } from '../../results/events.js'

/**
 * Reports runs as one: `files` are what \`run --reporter events\` wrote, in any order. A lab that a file does not end, because the run was
 * interrupted, has failed. Returns the exit code. Throws InputError for a file that has other lines.
 */
export function mergeRuns(files: readonly string[], open: () => Reporter): number {
  if (files.length === 0)
    throw new InputError([{ message: '--merge needs the files that `run --reporter events` wrote' }])
  const runs = files.map((file) => eventsIn(file))
  const report = open()
  let passed = true
  for (const events of runs)
    for (const event of [...events, ...missingEnds(events)]) {
      if (event.type === 'lab-error' || (event.type === 'lab-end' && !event.result.ok)) passed = false
      report.on(event)
    }
  report.end()
  return passed ? exitCode.ok : exitCode.checkFailed
}

function eventsIn(file: string): readonly LabEvent[] {
  const events = readText(file)
    .split('\n')
    .flatMap((line, index, lines) => {
      if (line.trim() === '') return []
      const event = eventOf(line)
      if (event !== undefined) return [event]
      // the run was ended while it wrote its last line
      if (index === lines.length - 1) return []
      throw new InputError([
        {
          message: `${file}:${index + 1}: this is no event of a lab`,
          hint: '--merge reads what `run --reporter events` writes',
        },
      ])
    })
  if (events.length === 0) throw new InputError([{ message: `${file} has no events of labs` }])
  return events
}

function eventOf(line: string): LabEvent | undefined {
  try {
    const value = JSON.parse(line) as Partial<LabEvent> | null
    return typeof value?.type === 'string' && typeof value.lab === 'string' ? (value as LabEvent) : undefined
  } catch {
    return undefined
  }
}

/** An error for each lab that began and did not end. */
function missingEnds(events: readonly LabEvent[]): readonly LabEvent[] {
  const ended = new Set(
    events.flatMap(({ type, lab }) => (type === 'lab-end' || type === 'lab-error' ? [lab] : [])),
  )
  const begun = new Set(events.flatMap(({ type, lab }) => (type === 'lab-start' ? [lab] : [])))
  return [...begun]
    .filter((lab) => !ended.has(lab))
    .map((lab) => ({ type: 'lab-error', lab, error: 'the run was interrupted' }))
}
