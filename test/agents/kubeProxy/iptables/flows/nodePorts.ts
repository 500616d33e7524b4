import type { IpFamily } from '../../../../../src/net/ipFamily.js'
import type { ServiceSpec } from '../../../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../../../src/agents/kubeProxy/configDefaults.js'
import type { KubeProxyConfiguration } from '../../../../../src/agents/kubeProxy/config.js'
import { endpoint, input, service, slice } from '../../objects.js'
import { nodeIP, outside, pod, scenario, type Row, type Scenario } from './scenario.js'

const noLocalhost = { iptables: { ...defaultConfiguration.iptables, localhostNodePorts: false } }
const nodePortCases: readonly {
  readonly name: string
  readonly family: IpFamily
  readonly config: Partial<KubeProxyConfiguration>
  readonly localhost: boolean
  readonly secondary: boolean
}[] = [
  { name: 'IPv4, localhostNodePorts', family: 'IPv4', config: {}, localhost: true, secondary: true },
  {
    name: 'IPv4, no localhostNodePorts',
    family: 'IPv4',
    config: noLocalhost,
    localhost: false,
    secondary: true,
  },
  {
    name: 'IPv4, no localhostNodePorts, loopback listed',
    family: 'IPv4',
    config: { ...noLocalhost, nodePortAddresses: ['192.168.0.0/24', '127.0.0.1/32'] },
    localhost: false,
    secondary: false,
  },
  {
    name: 'IPv4, several CIDRs',
    family: 'IPv4',
    config: { nodePortAddresses: ['192.168.0.0/24', '192.168.1.0/24', '2001:db8::/64'] },
    localhost: false,
    secondary: true,
  },
  { name: 'IPv6', family: 'IPv6', config: {}, localhost: false, secondary: true },
  {
    name: 'IPv6, several CIDRs',
    family: 'IPv6',
    config: { nodePortAddresses: ['192.168.0.0/24', '192.168.1.0/24', '2001:db8::/64'] },
    localhost: false,
    secondary: false,
  },
]

/** D: node ports, by which addresses they answer on. */
export function nodePorts(): readonly Scenario[] {
  return nodePortCases.map(({ name, family, config, localhost, secondary }) => {
    const v4 = family === 'IPv4'
    const spec: ServiceSpec = {
      type: 'NodePort',
      ipFamilies: [family],
      clusterIPs: [v4 ? '172.30.0.41' : 'fd00:172:30::41'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
    }
    const addresses = v4 ? ['10.180.0.1', '10.180.2.1'] : ['fd00:10:180::1', 'fd00:10:180::2:1']
    const E = v4 ? '10.180.0.1:80, 10.180.2.1:80' : '[fd00:10:180::1]:80, [fd00:10:180::2:1]:80'
    const [node, other, loopback, client, aPod, clusterIP] = v4
      ? [nodeIP, '192.168.1.2', '127.0.0.1', outside, pod, '172.30.0.41']
      : ['2001:db8::1', '2001:db8:1::2', '::1', '2600:5200::1', 'fd00:10::2', 'fd00:172:30::41']
    const at = (address: string, port: number) => (v4 ? `${address}:${port}` : `[${address}]:${port}`)
    const rows: Row[] = [
      ['D1', aPod, 'tcp', at(clusterIP, 80), E, false],
      ['D2', client, 'tcp', at(node, 3001), E, true],
      ['D3', node, 'tcp', at(node, 3001), E, true],
      ['D4/D5', loopback, 'tcp', at(loopback, 3001), localhost ? E : '', localhost],
      ['D6/D7', client, 'tcp', at(other, 3001), secondary ? E : '', secondary],
    ]
    const endpoints = addresses.map((address) => endpoint(address, 'remote'))
    return scenario(
      `D: node ports, ${name}`,
      rows,
      input([service('svc1', spec)], [slice('svc1', endpoints, undefined, { family })], config),
      family,
    )
  })
}
