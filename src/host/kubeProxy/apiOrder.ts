import type { KubeObject } from '../../cluster/types.js'

/** One line that the API process reads from its standard input: what there is from now on. The first makes it listen. */
export interface ApiOrder {
  readonly objects: readonly KubeObject[]
  /** Objects that are there whatever the lab has; read from the first line only. */
  readonly standing?: readonly KubeObject[] | undefined
}

/** The one line that it writes to its standard output. */
export const apiListens = 'listening'
