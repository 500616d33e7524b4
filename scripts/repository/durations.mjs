import { LineCounter, isMap, isScalar, isSeq, parseAllDocuments, visit } from 'yaml'

/** The minimum for times, in seconds, that decide whether a test passes. */
const least = 30

/** A comment on a line, or on the line above it, with the reason for a short time: a failure is expected. */
const marker = /short on purpose: \S/

const wallClock =
  /(?<!new Date\()Date\.now\(\) *(\+|[<>])|[<>]=? *Date\.now\(\)|Date\.now\(\) *- *[\w.]+ *[<>]/
const measured = /t\.(ok|equal)\([^,]*(\bperformance\.now\(\)|\b(elapsed|seconds|took|durationMs)\b)[^,]*[<>]/

/** Times in the source of a test, with the number of seconds of one unit. */
const times = [
  [/\b(?:timeoutMs|deadlineMs|patienceMs)\b *[:=] *([\d_]+)/, 0.001],
  [/\btimeoutSeconds: *([\d._]+)/, 1],
  [/\bsettled\(([\d_]+)\)/, 0.001],
  [/\bt\.setTimeout\(([\d_]+)\)/, 0.001],
  [/\{[^{}]*\b(?:skip|encoding|env)\b[^{}]*\btimeout: *([\d_]+)/, 0.001],
  [/'(?:--max-time|-m)', *'([\d.]+)'/, 1],
  [/'ping'.*'-W *([\d.]+)'/, 1],
  [/\btimeout: *'?(\d+)ms\b/, 0.001],
  [/\btimeout: *'?([\d.]+)s\b/, 1],
]

/** Tests in which no time passes, such as those of the parser of lab.yaml. */
const runs = /^test\/(kernel|full|fixtures|apiserver|commands|host|docs|scripts)\//

/**
 * The lines of a source file (TypeScript or JavaScript) whose result depends on a wall clock or a short time.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function shortTimesInSource(path, text) {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (marker.test(line) || marker.test(lines[index - 1] ?? '')) return []
    const at = `${path}:${index + 1}`
    if (wallClock.test(line)) return [`${at}: a deadline by the wall clock: use performance.now()`]
    if (!path.startsWith('test/')) return []
    if (measured.test(line)) return [`${at}: a duration decides: measure it in npm run bench`]
    if (!runs.test(path)) return []
    return times.flatMap(([pattern, unit]) => {
      const number = pattern.exec(line)?.[1]
      const seconds = number === undefined ? 0 : Number(number.replaceAll('_', '')) * unit
      return seconds > 0 && seconds < least ? [`${at}: ${seconds} s decide: ${advice}`] : []
    })
  })
}

const advice = `allow ${least} s, or state why with \`short on purpose: …\``

/**
 * The `timeout`s of a lab.yaml or exercise.yaml that are short although the step does not expect a failure.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function shortTimesInLab(path, text) {
  const counter = new LineCounter()
  const lines = text.split('\n')
  const found = []
  for (const document of parseAllDocuments(text, { lineCounter: counter }))
    visit(document, {
      Pair(_, pair, ancestors) {
        if (!isScalar(pair.key)) return
        const seconds = pair.key.value === 'timeout' ? secondsOf(pair.value) : maxTimeOf(pair)
        if (seconds === undefined || seconds === 0 || seconds >= least || expectsFailure(ancestors)) return
        const { line } = counter.linePos(pair.key.range[0])
        if (marker.test(lines[line - 1]) || marker.test(lines[line - 2] ?? '')) return
        found.push(`${path}:${line}: ${seconds} s decide: ${advice}`)
      },
    })
  return found
}

function secondsOf(node) {
  const [, number, unit = 's'] = /^([\d.]+)(ms|s|m)?$/.exec(String(isScalar(node) ? node.value : '')) ?? []
  return number === undefined ? undefined : Number(number) * { ms: 0.001, s: 1, m: 60 }[unit]
}

/** The --max-time of a curl that a `command` calls. */
function maxTimeOf({ key, value }) {
  if (key.value !== 'command' || !isSeq(value)) return undefined
  const text = value.items.map((item) => String(isScalar(item) ? item.value : '')).join(' ')
  const number = /\bcurl\b.*? (?:--max-time|-m) *([\d.]+)/.exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Whether the step or check around a node expects that it fails. */
function expectsFailure(ancestors) {
  const step = [...ancestors].reverse().find((node) => isMap(node) && node.has('expect'))
  if (step === undefined) return false
  return step.hasIn(['expect', 'fails']) || (step.getIn(['expect', 'exitCode']) ?? 0) !== 0
}

/**
 * The steps of a lab.yaml that delete a pod with `settle: false`, so that the steps after it see the pod terminate, although
 * it terminates within a short time: a `sleep` in its preStop hook, or its grace period.
 * @param {string} path
 * @param {string} text
 * @param {readonly string[]} manifests the texts of the lab's manifests
 * @returns {string[]}
 */
export function shortTerminations(path, text, manifests) {
  const pods = manifests
    .flatMap((manifest) => parseAllDocuments(manifest).map((document) => document.toJS()))
    .filter((object) => object?.kind === 'Pod')
  const counter = new LineCounter()
  const found = []
  for (const document of parseAllDocuments(text, { lineCounter: counter }))
    visit(document, {
      Map(_, step) {
        if (step.get('settle') !== false) return
        const { line } = counter.linePos(step.range[0])
        for (const { metadata, spec } of pods.filter((pod) => deletes(step, pod.metadata.name))) {
          const seconds = terminationSeconds(spec)
          if (seconds >= least) continue
          found.push(
            `${path}:${line}: pod ${metadata.name} terminates in ${seconds} s: let it wait for a later step`,
          )
        }
      },
    })
  return found
}

function deletes(step, pod) {
  const deleted = step.get('delete')
  const names = isSeq(deleted) ? deleted.items.map(({ value }) => value) : [deleted]
  return names.some((name) => [`pod/${pod}`, `pods/${pod}`, `po/${pod}`].includes(name))
}

/** How long a deleted pod stays, in seconds: as long as its preStop hooks sleep, at most its grace period; a hook may wait. */
function terminationSeconds({ containers = [], terminationGracePeriodSeconds = 30 }) {
  const pauses = containers.map(({ lifecycle }) => {
    const { sleep, exec } = lifecycle?.preStop ?? {}
    if (sleep !== undefined) return sleep.seconds
    if (exec === undefined) return 0
    const [, seconds] = /^sleep ([\d.]+)$/.exec(exec.command.join(' ')) ?? []
    return seconds === undefined ? Infinity : Number(seconds)
  })
  return Math.min(Math.max(...pauses), terminationGracePeriodSeconds)
}

/**
 * The probes of a manifest that may take less than 30 s: on a busy host a pod that answers would not be ready.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function shortProbes(path, text) {
  const counter = new LineCounter()
  const found = []
  for (const document of parseAllDocuments(text, { lineCounter: counter }))
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || !/^(readiness|liveness|startup)Probe$/.test(String(key.value)) || !isMap(value))
          return
        const seconds = Number(value.get('timeoutSeconds') ?? 1)
        if (seconds >= least) return
        const { line } = counter.linePos(key.range[0])
        found.push(
          `${path}:${line}: ${seconds} s decide whether a pod is ready: set timeoutSeconds: ${least}`,
        )
      },
    })
  return found
}
