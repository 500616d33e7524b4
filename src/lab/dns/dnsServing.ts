import { isReady } from '../../cluster/pods/podFacts.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { Place } from '../../topology/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { podPlaces } from '../../topology/followPods.js'
import type { DnsProgram } from './dnsPrograms.js'

/** Labels of the cluster's DNS pods. */
const label = ['k8s-app', 'kube-dns'] as const

/**
 * In one network namespace: makes each DNS server reload its files (if `$5` is a signal), then queries the serials of all
 * zones until they are this one. If no server runs, or it has ended, there is nothing to wait for: a new one reads the
 * files when it starts.
 */
const script = `
netns=$1 tool=$2 serial=$3 zones=$4
servers=
for pid in $(ip netns pids "$netns"); do
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$tool" ]; then servers="$servers $pid"; fi
done
[ -n "$servers" ] || exit 0
if [ -n "$5" ]; then kill -s "$5" $servers 2>/dev/null; fi
questions=
for zone in $zones; do questions="$questions SOA $zone"; done
turns=0
until [ "$(nsenter --net="/run/netns/$netns" dig -r +short +tries=1 +time=1 @127.0.0.1 $questions 2>/dev/null | grep -c " $serial ")" -ge "$(echo $zones | wc -w)" ]; do
  kill -0 $servers 2>/dev/null || exit 0
  turns=$((turns + 1))
  if [ "$turns" -ge 200 ]; then echo "no answer with serial $serial" >&2; exit 1; fi
  sleep 0.01
done`

/** What the servers have to answer. */
export interface WantedZones {
  readonly origins: readonly string[]
  readonly serial: number
}

/**
 * The places of a cluster's DNS servers that are ready. A server that is still starting is left out, because a signal
 * would end it.
 */
export function dnsServers({ cluster, topology }: Pick<LabState, 'cluster' | 'topology'>): Place[] {
  return podPlaces(cluster, topology.places)
    .filter(
      ({ pod }) =>
        pod.metadata.namespace === 'kube-system' &&
        pod.metadata.labels?.[label[0]] === label[1] &&
        pod.metadata.deletionTimestamp === undefined &&
        isReady(pod),
    )
    .map(({ place }) => place)
}

/** Resolves when each of these servers answers from the zones with this serial. Throws CommandError. */
export async function dnsServing(
  sandbox: Pick<Sandbox, 'must'>,
  servers: readonly Place[],
  { tool, reload }: Pick<DnsProgram, 'tool' | 'reload'>,
  { origins, serial }: WantedZones,
  again: boolean,
): Promise<void> {
  await Promise.all(
    servers.map(({ name, netns }) =>
      sandbox.must(`asking the DNS server of ${name} for its zones`, [
        ...['sh', '-c', script, 'sh', netns, tool, String(serial), origins.join(' ')],
        ...(again ? [reload] : []),
      ]),
    ),
  )
}
