import { rename, writeFile } from 'node:fs/promises'
import { SandboxError } from '../../errors.js'
import type { Sandbox } from '../../host/sandbox.js'
import type { Follower } from '../live/types.js'
import { zonePath, zoneText } from './dnsLaunch.js'

/**
 * Keeps the records of a lab's DNS server in step with its cluster. The file is replaced whole, and the server looks at
 * it for every query: once this resolves, the next answer follows the cluster, and no query is lost.
 */
export function followDns(sandbox: Pick<Sandbox, 'path'>): Follower {
  let written: string | undefined
  return async ({ cluster }) => {
    const text = zoneText(cluster)
    if (text === written) return
    const path = sandbox.path(zonePath)
    try {
      await writeFile(`${path}.new`, text)
      await rename(`${path}.new`, path)
    } catch (error) {
      throw new SandboxError('cannot write the records of the DNS server', error)
    }
    written = text
  }
}
