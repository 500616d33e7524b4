import { readFileSync } from 'node:fs'
import { on, rulesOf } from '../../kernel/faultClasses.js'
import type { FaultLab } from '../../kernel/faultLab.js'

const restored = 'iptables-restore /run/before.rules'

/** Pods in a tunnel, where nothing accepts packets of pods in FORWARD. */
const tunnel: FaultLab = {
  title: 'failures of the network between nodes',
  folder: 'labs/usual-suspects',
  faults: [
    {
      name: 'firewalld rejects packets to a pod',
      ...{ from: 'caller', to: 'http://app/shop/' },
      make: on('node-a', rulesOf('firewalld')),
      undo: on('node-a', restored),
      ...{ code: 'foreign-rule', cause: /the cause is on node-a$/ },
    },
    {
      name: 'firewalld rejects the answer in the tunnel',
      ...{ from: 'caller', to: 'http://service/shop/' },
      make: on('node-a', rulesOf('firewalld')),
      undo: on('node-a', restored),
      ...{ code: 'foreign-rule', cause: /the cause is on node-a$/ },
    },
    {
      name: 'a strict rp_filter, and a route to the client by another interface',
      ...{ from: 'client', to: 'http://172.18.0.2:30080/' },
      make: on(
        'node-a',
        'ip link add vpn0 type veth peer name vpn; ip link set vpn up; ip link set vpn0 arp off up; ip route add 172.18.1.2 dev vpn0; sysctl -qw net.ipv4.conf.all.rp_filter=1',
      ),
      undo: on('node-a', 'sysctl -qw net.ipv4.conf.all.rp_filter=0; ip link del vpn0'),
      ...{ code: 'rp-filter', cause: /the cause is on node-a$/ },
    },
    {
      name: 'an MTU of a network card that is too small for the tunnel',
      ...{ from: 'caller', to: 'http://app/shop/' },
      probe: ['ping', '-c', '1', '-W', '1', '-M', 'do', '-s', '1372', 'app/shop'],
      make: on('node-b', 'ip link set dev eth0 mtu 1400'),
      undo: on('node-b', 'ip link set dev eth0 mtu 1500'),
      ...{ code: 'mtu-too-small', cause: /the cause is on node-b$/ },
    },
  ],
}

const config = (field: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system }
data:
  config.conf: |
    apiVersion: kubeproxy.config.k8s.io/v1alpha1
    kind: KubeProxyConfiguration
    ${field}
`

/** A cluster whose kube-proxies have a field in their configuration. */
function configured(field: string, fault: FaultLab['faults'][number]): FaultLab {
  return {
    title: `kube-proxy with ${field}`,
    folder: 'test/fixtures/faultClasses',
    files: { 'manifests/config.yaml': config(field) },
    faults: [fault],
  }
}

const [shop, byIPv6] = ['http://192.0.2.1/', 'http://[fd00:18::2]:30080/']

/** An ingress controller, in a cluster with both IP families. */
const ingress: FaultLab = {
  title: 'failures of an ingress controller and of a second IP family',
  folder: 'test/fixtures/faultIngress',
  faults: [
    {
      name: 'a host name that no Ingress has',
      ...{ from: 'client', to: shop, host: 'shop.example.com', code: 'ingress-host-unmatched' },
      cause: /the cause is the request$/,
    },
    {
      name: 'a path that the host does not have',
      ...{ from: 'client', to: shop, host: 'path.test', code: 'ingress-path-unmatched' },
      cause: /the cause is in Ingress default\/one-path, spec\.rules$/,
    },
    {
      name: 'an Ingress of another class',
      ...{ from: 'client', to: shop, host: 'class.test', code: 'ingress-class-unserved' },
      cause: /the cause is in Ingress default\/other-class, spec\.ingressClassName$/,
    },
    {
      name: 'a port that the Service of an Ingress does not have',
      ...{ from: 'client', to: shop, host: 'port.test', code: 'backend-port-absent' },
      cause: /the cause is in Ingress default\/other-port, spec\S+service\.port$/,
    },
    {
      name: 'a Service that does not exist behind an Ingress',
      ...{ from: 'client', to: shop, host: 'name.test', code: 'backend-service-absent' },
      cause: /the cause is in Ingress default\/other-name, spec\S+service\.name$/,
    },
    {
      name: 'the node port of a Service with one family, called by the other',
      ...{ from: 'client', to: byIPv6, code: 'service-family-absent' },
      cause: /the cause is in Service default\/shop, spec\.ipFamilyPolicy$/,
    },
  ],
}

const labFile = readFileSync('test/fixtures/faultClasses/lab.yaml', 'utf8')

/** In mode nftables node ports are not served on loopback addresses. */
const nftables: FaultLab = {
  title: 'failures of mode nftables',
  folder: 'test/fixtures/faultClasses',
  files: { 'lab.yaml': `${labFile}kubeProxy: { mode: nftables }\n` },
  faults: [
    {
      name: 'a node port on a loopback address',
      ...{ from: 'node-a', to: 'http://127.0.0.1:30080/', code: 'node-port-on-loopback' },
      cause: /the cause is the request$/,
    },
    {
      name: 'no endpoint by its selector, in mode nftables',
      ...{ from: 'caller', to: 'http://service/misspelt/', code: 'selector-matches-nothing' },
      cause: /the cause is in Service default\/misspelt, spec\.selector$/,
    },
  ],
}

/** Each starts one lab. */
export const labs: readonly FaultLab[] = [
  tunnel,
  ingress,
  nftables,
  configured('clusterCIDR: 10.32.0.0/12', {
    name: 'clusterCIDR without the pods',
    ...{ from: 'caller', to: 'http://172.18.0.2:30082/' },
    code: 'cluster-cidr-wrong',
    cause: /the cause is in ConfigMap kube-system\/kube-proxy, data\["config\.conf"\]\.clusterCIDR$/,
  }),
  configured('nodePortAddresses: [192.168.0.0/16]', {
    name: 'nodePortAddresses of another interface',
    ...{ from: 'client', to: 'http://172.18.0.2:30080/' },
    code: 'node-port-addresses',
    cause: /the cause is in ConfigMap kube-system\/kube-proxy, data\["config\.conf"\]\.nodePortAddresses$/,
  }),
]
