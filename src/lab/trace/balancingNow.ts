import type { Sandbox } from '../../host/sandbox/sandbox.js'
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

const mark = '--- vethlab ---'

/** What the kernel has now, with what the plan knows about it; undefined where the plan has no virtual servers. Throws CommandError. */
export async function balancingNow(
  sandbox: Sandbox,
  netns: string,
  { sets, servers }: Pick<TraceState, 'sets' | 'servers'>,
  families: readonly IpFamily[],
): Promise<Balancing | undefined> {
  const planned = servers?.get(netns)
  if (planned === undefined) return undefined
  // hashes find a real server by its position: ipvsadm sorts them by default
  const argv = ['sh', '-c', `ipvsadm -L -n --nosort && echo '${mark}' && ipset save`]
  const { stdout } = await sandbox.must('reading the state of IPVS', argv, { netns })
  const [listed = '', saved = ''] = stdout.split(`${mark}\n`)
  return {
    sets: loadIpsets(
      saved.split('\n'),
      new Map([...(sets?.get(netns) ?? [])].map(([name, { meanings }]) => [name, meanings])),
    ),
    servers: serversNow(listed, families, planned),
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
