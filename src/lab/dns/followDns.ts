import { replaceInside } from '../../host/sandbox/replaceInside.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { Follower } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { dnsFiles, firstSerial, type DnsAround, type DnsFiles } from './dnsLaunch.js'
import { dnsServers, dnsServing } from './dnsServing.js'

/**
 * Keeps the records of a lab's DNS servers in step with its cluster: after a change is followed, answers are those of the
 * changed cluster, also from a server that has just become ready. No query is lost, because a server answers while it
 * reloads.
 */
export function followDns(
  sandbox: Pick<Sandbox, 'inside' | 'must'>,
  initial: Pick<LabState, 'cluster' | 'topology'>,
  around: DnsAround,
): Follower {
  let serial = firstSerial
  let existing = dnsFiles(initial.cluster, around, serial)
  let following = new Set(dnsServers(initial).map(({ netns }) => netns))
  return async (state) => {
    const servers = dnsServers(state)
    const known = following
    following = new Set(servers.map(({ netns }) => netns))
    const changed = !sameText(dnsFiles(state.cluster, around, serial), existing)
    if (changed) {
      serial++
      existing = dnsFiles(state.cluster, around, serial)
      replaceInside(sandbox, existing.files, 'the records of the DNS server')
    }
    // a server that became ready may have read its files before the last change
    const behind = changed ? servers : servers.filter(({ netns }) => !known.has(netns))
    await dnsServing(sandbox, behind, around.program, { origins: existing.origins, serial }, true)
  }
}

function sameText(a: DnsFiles, b: DnsFiles): boolean {
  return JSON.stringify(a.files) === JSON.stringify(b.files)
}
