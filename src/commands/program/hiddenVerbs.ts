import { deprecatedVerbs } from '../kubectl/deprecatedVerbs.js'
import type { Verb } from './verb.js'

/** Verbs that vethlab calls itself, and former ones. */
export const hidden: readonly Verb[] = [
  {
    name: 'hold',
    summary: 'hold a lab (started by `up` and by `run --keep`)',
    load: async () => (await import('../hold.js')).holdCommand(),
  },
  {
    name: 'serve-api',
    summary: "serve a lab's Kubernetes API (started inside its sandbox)",
    load: async () => (await import('../serveApi.js')).serveApiCommand(),
  },
  {
    name: 'in-parts',
    summary: 'run a tool with its input in parts (started inside a sandbox)',
    load: async () => (await import('../inParts.js')).inPartsCommand(),
  },
  {
    name: 'relay',
    summary: 'make the connections of `forward` (started inside a sandbox)',
    load: async () => (await import('../traffic/relay.js')).relayCommand(),
  },
  ...Object.entries(deprecatedVerbs).map(([name, words]) => ({
    name,
    summary: `former name of \`kubectl LAB ${words}\``,
    load: async () => (await import('../kubectl/deprecated.js')).deprecatedCommand(name),
  })),
]
