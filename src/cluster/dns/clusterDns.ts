import { nthAddress, rangeOf } from '../../net/ranges.js'
import { parseManifests, type LocatedObject } from '../manifests/manifests.js'
import type { AddressRanges } from '../../net/addressRanges.js'
import type { IpFamily } from '../../net/ipFamily.js'

/** Host part of the DNS Service's cluster address, as kubeadm chooses it. */
const dnsAddress = 10

/** Cluster addresses of the Service `kube-dns`: the tenth of each range of Services. */
export function clusterDnsAddresses(ranges: AddressRanges, families: readonly IpFamily[]): string[] {
  return families.map((family) => nthAddress(rangeOf(ranges.services[family]), dnsAddress))
}

/**
 * The objects of a cluster's DNS as kubeadm creates them: the Service `kube-dns` and a Deployment of the same name,
 * whose pods run a DNS server. They are parsed like manifests, so that defaults and validation are the same.
 */
export function clusterDnsObjects(
  ranges: AddressRanges,
  families: readonly IpFamily[],
  server: { readonly name: string; readonly image: string; readonly command: readonly string[] },
): readonly LocatedObject[] {
  const clusterIPs = clusterDnsAddresses(ranges, families)
  const labels = { 'k8s-app': 'kube-dns' }
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system', labels },
    spec: {
      selector: labels,
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: families,
      ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
        { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
      ],
    },
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kube-dns', namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          dnsPolicy: 'Default',
          containers: [
            {
              ...server,
              ports: [
                { name: 'dns', containerPort: 53, protocol: 'UDP' },
                { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
              ],
            },
          ],
        },
      },
    },
  }
  const text = [service, deployment].map((object) => JSON.stringify(object)).join('\n---\n')
  return parseManifests([{ path: 'the objects of `dns: true`', text }]).objects
}
