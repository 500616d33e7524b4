import { directive, type Directive } from './directive.js'

/** What stands beside the servers: maps, split_clients and upstreams, each named by the first who needs it. */
export interface Definitions {
  /** The variable that a block of this kind sets; blocks with the same contents are one. */
  variable(kind: 'map' | 'split_clients', stem: string, source: string, block: readonly Directive[]): string
  upstream(block: readonly Directive[]): string
  all(): readonly Directive[]
}

/** Definitions of one configuration file, none so far. */
export function definitions(): Definitions {
  const names = new Map<string, string>()
  const written: Directive[] = []
  const define = (key: string, stem: string, write: (name: string) => Directive) => {
    const known = names.get(key)
    if (known !== undefined) return known
    const name = `${stem}${names.size + 1}`
    names.set(key, name)
    written.push(write(name))
    return name
  }
  return {
    variable: (kind, stem, source, block) =>
      define(JSON.stringify([kind, source, block]), `$${stem}_`, (name) =>
        directive(kind, [source, name], block),
      ),
    upstream: (block) =>
      define(JSON.stringify(['upstream', block]), 'upstream_', (name) =>
        directive('upstream', [name], block),
      ),
    all: () => written,
  }
}
