/** Former verbs of vethlab, with the words of kubectl that replace them. They go with the next release. */
export const deprecatedVerbs: Readonly<Record<string, string>> = {
  ...{ annotate: 'annotate', apply: 'apply', delete: 'delete', describe: 'describe', events: 'events' },
  ...{ get: 'get', label: 'label', logs: 'logs', patch: 'patch', scale: 'scale', watch: 'get --watch' },
}
