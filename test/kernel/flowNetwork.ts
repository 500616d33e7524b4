import { startSandbox, type OwnSandbox } from '../../src/host/sandbox/startSandbox.js'
import { runStages } from '../../src/host/sandbox/runPlan.js'
import { streamModule } from '../../src/host/machine.js'
import { echoServerConfig } from '../../src/topology/echoServer.js'
import { linkLine, namespaceLines } from '../../src/topology/ipBatch.js'
import type { Network } from '../../src/topology/network.js'
import {
  flowNetworkOf,
  flowRules,
  flowSysctls,
  hosts,
  ports,
  servers,
  type Host,
} from '../agents/kubeProxy/iptables/flows/flowHosts.js'
import type { Scenario } from '../agents/kubeProxy/iptables/flows/scenario.js'

/** Builds the hosts of a scenario in a sandbox, with the node's rules. */
export async function buildFlowNetwork(scenario: Scenario): Promise<OwnSandbox> {
  const sandbox = await startSandbox(`flows:${scenario.name}`)
  const network = flowNetworkOf(scenario)
  const restore = scenario.family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore'
  const file = (name: string) => `/run/vethlab/flows/${name}`
  const sysctls = Object.entries(flowSysctls(scenario)).map(([name, value]) => `${name} = ${value}`)
  const onNode = (...argv: string[]) => ({ argv: ['nsenter', '--net=/run/netns/node', ...argv] })
  const { inputPolicy } = scenario
  try {
    await runStages(sandbox, [
      {
        name: 'namespaces and links',
        files: [
          {
            path: file('links'),
            text: lines([...hosts.map((host) => `netns add ${host}`), ...network.links.map(linkLine)]),
          },
        ],
        commands: [{ argv: ['ip', '-batch', file('links')] }],
      },
      {
        name: 'addresses and routes',
        files: [
          ...hosts.map((host) => ({ path: file(host), text: lines(namespaceLines(within(network, host))) })),
          ...hosts.map((host) => ({
            path: file(`${host}.d/nginx.conf`),
            text: serverConfig(host, file(`${host}.d`)),
          })),
        ],
        commands: [{ argv: ['ip', '-n', '{}', '-batch', file('{}')], each: hosts }],
      },
      {
        name: 'rules, sysctls, servers',
        files: [
          { path: file('rules'), text: flowRules(scenario) },
          { path: file('sysctls'), text: lines(sysctls) },
        ],
        commands: [
          onNode(restore, '--noflush', '--counters', file('rules')),
          onNode('sysctl', '-q', '-p', file('sysctls')),
          ...(inputPolicy === undefined ? [] : [onNode('iptables', '-w', '5', '-P', 'INPUT', inputPolicy)]),
          {
            argv: [
              ...['nsenter', '--net=/run/netns/{}', 'nginx'],
              ...['-e', file('{}.d/error.log'), '-c', file('{}.d/nginx.conf')],
            ],
            each: servers,
          },
        ],
      },
    ])
    return sandbox
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

function within({ devices, routes }: Network, host: Host): Parameters<typeof namespaceLines>[0] {
  return {
    devices: devices.filter(({ netns }) => netns === host),
    routes: routes.filter(({ netns }) => netns === host),
    ...{ ports: [], neighbours: [] },
  }
}

/** Every server answers with its name, the address that was called, and the address of the client. */
function serverConfig(host: Host, folder: string): string {
  const all = [
    ...ports.tcp.map((port) => ({ port, protocol: 'TCP' as const })),
    ...ports.udp.map((port) => ({ port, protocol: 'UDP' as const })),
  ]
  return echoServerConfig({ pod: host, namespace: 'ns1', node: 'test-node' }, all, ['IPv4', 'IPv6'], folder, {
    streamModule: streamModule(),
  })
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('')
}
