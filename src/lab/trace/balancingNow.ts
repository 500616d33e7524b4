import type { Reading } from '../../host/sandbox/readTogether.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { splitHostPort } from '../../net/socketText.js'
import { readServers } from '../../proxy/ipvs/found.js'
import { tracedServerName, type TracedIpset, type TracedServer } from '../../trace/model/balancing.js'
import type { TraceState } from '../../trace/model/state.js'
import { loadIpsets } from '../../trace/rules/ipset.js'

/** The ipsets and virtual servers of one namespace. */
export interface Balancing {
  readonly sets: ReadonlyMap<string, TracedIpset>
  readonly servers: readonly TracedServer[]
}

/** What the kernel has now, with what the plan knows about it; undefined where the plan has no virtual servers. */
export function balancingNow(
  netns: string,
  { sets, servers }: Pick<TraceState, 'sets' | 'servers'>,
  families: readonly IpFamily[],
): Reading<Balancing | undefined> {
  const planned = servers?.get(netns)
  if (planned === undefined) return { commands: [], parse: () => undefined }
  const meanings = new Map([...(sets?.get(netns) ?? [])].map(([name, one]) => [name, one.meanings]))
  return {
    // hashes find a real server by its position: ipvsadm sorts them by default
    commands: [
      ['ipvsadm', '-L', '-n', '--nosort'],
      ['ipset', 'save'],
    ],
    parse: ([listed = '', saved = '']) => ({
      sets: loadIpsets(saved.split('\n'), meanings),
      servers: serversNow(listed, families, planned),
    }),
  }
}

/** The virtual servers in the output of `ipvsadm -L -n --nosort`; why they exist comes from the plan. */
export function serversNow(
  listed: string,
  families: readonly IpFamily[],
  planned: readonly TracedServer[],
): TracedServer[] {
  const known = new Map(planned.map((server) => [tracedServerName(server), server]))
  return families
    .flatMap((family) => readServers(listed, family))
    .map(({ address, port, protocol, scheduler, persistence, realServers }) => {
      const { why, servicePort } = known.get(tracedServerName({ address, port, protocol })) ?? {}
      return {
        ...{ address, port, protocol, scheduler, persistence, why, servicePort },
        realServers: realServers.flatMap(({ text, weight }) => {
          const { host, port: number } = splitHostPort(text) ?? {}
          return host === undefined ? [] : [{ address: host, port: Number(number), weight }]
        }),
      }
    })
}
