import { randomBytes } from 'node:crypto'
import { readingScript, readPlace, type ReadPlace } from '../snapshot/readings/readPlace.js'
import type { Sandbox } from './sandbox/sandbox.js'

/**
 * Reads namespaces of a sandbox, and its first one: undefined. Each is read in one shell, because to enter it takes longer than most
 * commands. What cannot be read is recorded.
 */
export async function readPlaces(
  sandbox: Pick<Sandbox, 'run'>,
  netnsNames: readonly string[],
): Promise<ReadPlace[]> {
  const mark = randomBytes(16).toString('hex')
  const script = readingScript(mark)
  return Promise.all(
    [undefined, ...netnsNames].map(async (netns) => {
      const { stdout } = await sandbox.run(['sh', '-c', script], netns === undefined ? {} : { netns })
      return readPlace(netns, mark, stdout)
    }),
  )
}
