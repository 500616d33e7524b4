import type { Sandbox } from '../../host/sandbox.js'
import type { LabState } from '../live/types.js'
import { podPlaces } from '../podPlaces.js'

/** Labels of the cluster's DNS pods. */
const label = ['k8s-app', 'kube-dns'] as const

/**
 * In one network namespace: has each named read its files anew (when `$4` is set), then asks for the serials of all its
 * zones until they are this one. Where no named runs, or once it has ended, there is nothing to wait for; a newer one
 * reads the files when it starts.
 */
const script = `
netns=$1 serial=$2 zones=$3
servers=
for pid in $(ip netns pids "$netns"); do
  if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = named ]; then servers="$servers $pid"; fi
done
[ -n "$servers" ] || exit 0
if [ -n "$4" ]; then kill -HUP $servers 2>/dev/null; fi
questions=
for zone in $zones; do questions="$questions SOA $zone"; done
turns=0
until [ "$(ip netns exec "$netns" dig +short +tries=1 +time=1 @127.0.0.1 $questions 2>/dev/null | grep -c " $serial ")" -ge "$(echo $zones | wc -w)" ]; do
  kill -0 $servers 2>/dev/null || exit 0
  turns=$((turns + 1))
  if [ "$turns" -ge 200 ]; then echo "no answer with serial $serial" >&2; exit 1; fi
  sleep 0.01
done`

/** Resolves when every DNS server of the cluster answers from the zones with this serial. Throws CommandError. */
export async function dnsServing(
  sandbox: Pick<Sandbox, 'must'>,
  { cluster, topology }: Pick<LabState, 'cluster' | 'topology'>,
  zones: { readonly origins: readonly string[]; readonly serial: number },
  { reload }: { readonly reload: boolean },
): Promise<void> {
  const servers = podPlaces(cluster, topology.places).filter(
    ({ pod: { metadata } }) =>
      metadata.namespace === 'kube-system' && metadata.labels?.[label[0]] === label[1],
  )
  await Promise.all(
    servers.map(({ place: { name, netns } }) =>
      sandbox.must(`asking the DNS server of ${name} for its zones`, [
        ...['sh', '-c', script, 'sh', netns, String(zones.serial), zones.origins.join(' ')],
        ...(reload ? ['reload'] : []),
      ]),
    ),
  )
}
