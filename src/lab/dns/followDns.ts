import { rename, writeFile } from 'node:fs/promises'
import { SandboxError } from '../../errors.js'
import type { Sandbox } from '../../host/sandbox.js'
import type { Follower, LabState } from '../live/types.js'
import { dnsFiles, firstSerial, type DnsAround, type DnsFiles } from './dnsLaunch.js'
import { dnsServing } from './dnsServing.js'

/**
 * Keeps the records of a lab's DNS servers in step with its cluster: once a change is followed, the next answer is that
 * of the changed cluster. No query is lost, for a server answers while it reads.
 */
export function followDns(
  sandbox: Pick<Sandbox, 'path' | 'must'>,
  initial: Pick<LabState, 'cluster'>,
  around: DnsAround,
): Follower {
  let serial = firstSerial
  let standing = dnsFiles(initial.cluster, around, serial)
  return async (state) => {
    if (sameText(dnsFiles(state.cluster, around, serial), standing)) return
    serial++
    standing = dnsFiles(state.cluster, around, serial)
    try {
      for (const { path, text } of standing.files) {
        const file = sandbox.path(path)
        await writeFile(`${file}.new`, text)
        await rename(`${file}.new`, file)
      }
    } catch (error) {
      throw new SandboxError('cannot write the records of the DNS server', error)
    }
    await dnsServing(sandbox, state, { origins: standing.origins, serial }, { reload: true })
  }
}

function sameText(a: DnsFiles, b: DnsFiles): boolean {
  return JSON.stringify(a.files) === JSON.stringify(b.files)
}
