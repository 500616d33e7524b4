import type { ServiceSpec } from '../../../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../../../src/agents/kubeProxy/configDefaults.js'
import type { KubeProxyConfiguration } from '../../../../../src/agents/kubeProxy/config.js'
import type { ProxyInput } from '../../../../../src/agents/kubeProxy/input.js'
import { endpoint, input, service, slice } from '../../objects.js'
import { nodeIP, outside, pod, scenario, type Row, type Scenario } from './scenario.js'

/** M: who is masqueraded, with and without a detector of local traffic, with and without masqueradeAll. */
export function masqueradeMatrix(): readonly Scenario[] {
  return [true, false].flatMap((detector) =>
    [false, true].map((masqueradeAll) => {
      const config: Partial<KubeProxyConfiguration> = {
        iptables: { ...defaultConfiguration.iptables, masqueradeAll },
        ...(detector ? {} : { clusterCIDR: '' }),
      }
      const name = `M: who is masqueraded, ${detector ? 'with' : 'without'} detector, masqueradeAll ${masqueradeAll}`
      return scenario(name, masqueradeRows(detector, masqueradeAll), masqueradeInput(config))
    }),
  )
}

function masqueradeRows(detector: boolean, masqueradeAll: boolean): Row[] {
  const l = (n: number) => `10.180.0.${n}:80`
  const both = (n: number) => `${l(n)}, 10.180.1.${n}:80`
  const toClusterIP = [both(1), both(2), l(3)]
  const fromNode = detector || masqueradeAll
  const rows: Row[] = []
  for (const n of [1, 2, 3]) {
    const clusterIP = `172.30.0.4${n}:80`
    const vip = ['1.2.3.4:80', '5.6.7.8:80', '9.10.11.12:80'][n - 1] ?? ''
    const nodePort = `${nodeIP}:300${n}`
    const eTPLocal = n === 2
    const podToExternal = eTPLocal && !detector ? l(2) : both(n)
    const outsideToExternal = eTPLocal ? l(2) : both(n)
    const add = (row: string, source: string, to: string, result: string, masquerade: boolean) =>
      rows.push([`${row} svc${n}`, source, 'tcp', to, result, masquerade])
    add('M1', pod, clusterIP, toClusterIP[n - 1] ?? '', masqueradeAll)
    add('M2', pod, nodePort, podToExternal, !eTPLocal)
    add('M3', pod, vip, podToExternal, !eTPLocal)
    add('M4', nodeIP, clusterIP, toClusterIP[n - 1] ?? '', fromNode)
    add('M5', nodeIP, nodePort, both(n), true)
    add('M6', '127.0.0.1', `127.0.0.1:300${n}`, both(n), true)
    add('M7', nodeIP, vip, both(n), true)
    add('M8', outside, clusterIP, toClusterIP[n - 1] ?? '', fromNode)
    add('M9', outside, nodePort, outsideToExternal, !eTPLocal)
    add('M10', outside, vip, outsideToExternal, !eTPLocal)
  }
  return rows
}

function masqueradeInput(config: Partial<KubeProxyConfiguration>): ProxyInput {
  const policies: ServiceSpec[] = [{}, { externalTrafficPolicy: 'Local' }, { internalTrafficPolicy: 'Local' }]
  const services = policies.map((policy, index) => {
    const n = index + 1
    const ports = [{ name: 'http', port: 80, protocol: 'TCP' as const, nodePort: 3000 + n }]
    const spec = { type: 'LoadBalancer' as const, clusterIP: `172.30.0.4${n}`, ports, ...policy }
    return service(`svc${n}`, spec, [['1.2.3.4', '5.6.7.8', '9.10.11.12'][index] ?? ''])
  })
  const slices = [1, 2, 3].map((n) =>
    slice(`svc${n}`, [endpoint(`10.180.0.${n}`, 'local'), endpoint(`10.180.1.${n}`, 'remote')]),
  )
  return input(services, slices, config)
}
