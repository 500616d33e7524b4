import { directive, type Directive } from './directive.js'

/** Blocks outside of servers: maps, split_clients and upstreams, named on first use. */
export interface Definitions {
  /** The variable that a block of this kind sets; blocks with the same contents are shared. */
  variable(kind: 'map' | 'split_clients', stem: string, source: string, block: readonly Directive[]): string
  upstream(block: readonly Directive[]): string
  all(): readonly Directive[]
}

/** Creates the definitions of one configuration file. */
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
