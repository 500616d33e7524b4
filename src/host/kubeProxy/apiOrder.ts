import type { KubeObject } from '../../cluster/types.js'

/** One line of the API process's standard input: all objects from now on. The process listens after the first line. */
export interface ApiOrder {
  readonly objects: readonly KubeObject[]
  /** Objects that always exist; read from the first line only. */
  readonly standing?: readonly KubeObject[] | undefined
}

/** The only line that it writes to its standard output. */
export const apiListens = 'listening'
