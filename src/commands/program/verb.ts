import type { Command } from 'commander'

/** A verb of the command line. */
export interface Verb {
  readonly name: string
  /** The first sentence of its own `--help`, and its line in that of `vethlab` and in docs/cli.md. */
  readonly summary: string
  /** The `--help` of vethlab has only its name. */
  readonly rare?: true
  readonly load: () => Promise<Command>
}
