/** The options of kubectl that have a value and may be before its verb. */
const valued = [
  ...['-n', '--namespace', '--context', '--cluster', '--user', '--as', '--request-timeout', '-v', '-s'],
  ...['--kubeconfig', '--server', '--token'],
]

/** Words of kubectl, `-n games get pods`: options, the verb, and the rest. */
export function splitAtVerb(words: readonly string[]): {
  readonly before: readonly string[]
  readonly verb: string | undefined
  readonly after: readonly string[]
} {
  let at = 0
  while (words[at]?.startsWith('-') === true) at += valued.includes(words[at] ?? '') ? 2 : 1
  return { before: words.slice(0, at), verb: words[at], after: words.slice(at + 1) }
}

/** Verbs that change nothing in a lab. */
const reading = [
  ...[
    'api-resources',
    'api-versions',
    'attach',
    'auth',
    'cluster-info',
    'completion',
    'config',
    'cp',
    'describe',
  ],
  ...[
    'diff',
    'events',
    'exec',
    'explain',
    'get',
    'help',
    'kustomize',
    'logs',
    'options',
    'plugin',
    'port-forward',
  ],
  ...['proxy', 'top', 'version', 'wait'],
]

/** Whether the words of kubectl may change objects. */
export function changesObjects(words: readonly string[]): boolean {
  const { verb, after } = splitAtVerb(words)
  if (verb === 'rollout') return !['history', 'status'].includes(after[0] ?? '')
  return verb !== undefined && !reading.includes(verb)
}
