import { confined } from './confined.js'
import { joinHostPort } from '../net/socketText.js'
import { balancedNodes, ownAddresses } from '../cluster/loadBalancers.js'
import { nodeAddresses } from '../cluster/nodes.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, Node, Protocol, Service } from '../cluster/types.js'
import type { NginxPaths } from './echoServer.js'
import type { Place, SandboxFile } from './types.js'

const folder = '/run/vethlab/balancer'

/** Enables the PROXY protocol on all ports of a Service, with the value `*` (as on AWS). */
export const proxyProtocolAnnotation = 'service.beta.kubernetes.io/aws-load-balancer-proxy-protocol'

/** The host on which the load balancer of `mode: proxy` runs. */
export const balancerName = 'load-balancer'

/** Connect timeout for one node before the balancer tries the next. */
const connectTimeout = '300ms'

/** An address and port of a Service, and the node ports that it is forwarded to. */
export interface ProxiedPort {
  readonly address: string
  readonly port: number
  readonly protocol: Protocol
  /** `address:port`. */
  readonly targets: readonly string[]
  /** Send the client's address in a header (PROXY protocol, version 1). */
  readonly proxyProtocol?: boolean | undefined
}

/** A health check of a node for a Service. */
export interface HealthQuestion {
  readonly node: string
  readonly port: number
  readonly url: string
}

/** The addresses of Services on the balancer's host. */
export function proxiedAddresses({ loadBalancer, services }: Cluster): string[] {
  if (loadBalancer?.mode !== 'proxy') return []
  return services.flatMap((service) => ownAddresses(service, loadBalancer).map(({ address }) => address))
}

/** Services with externalTrafficPolicy Local have a port on which each node reports whether it has an endpoint (KEP-1669). */
export function healthQuestions(cluster: Cluster): HealthQuestion[] {
  const { loadBalancer } = cluster
  if (loadBalancer?.mode !== 'proxy') return []
  const ports = cluster.services.flatMap((service) =>
    ownAddresses(service, loadBalancer).length > 0 ? (healthPort(service) ?? []) : [],
  )
  return ports.flatMap((port) =>
    balancedNodes(cluster).map((node) => ({
      node: node.metadata.name,
      port,
      url: `http://${joinHostPort(nodeAddresses(node)[0] ?? '', port)}/healthz`,
    })),
  )
}

/** The ports that the balancer forwards; `isHealthy` is the node's response. Ports without targets are closed. */
export function proxiedPorts(
  cluster: Cluster,
  isHealthy: (node: string, port: number) => boolean,
): ProxiedPort[] {
  const { loadBalancer } = cluster
  if (loadBalancer?.mode !== 'proxy') return []
  return cluster.services
    .flatMap((service) => {
      const health = healthPort(service)
      const nodes = balancedNodes(cluster).filter(
        ({ metadata }) => health === undefined || isHealthy(metadata.name, health),
      )
      return ownAddresses(service, loadBalancer).flatMap(({ address, family }) =>
        (service.spec.ports ?? []).map(({ port, protocol = 'TCP', nodePort }) => ({
          address,
          port,
          protocol,
          ...(sendsProxyHeader(service) ? { proxyProtocol: protocol === 'TCP' } : {}),
          targets: nodePort === undefined ? [] : nodes.flatMap((node) => target(node, family, nodePort)),
        })),
      )
    })
    .filter(({ targets, protocol }) => targets.length > 0 && protocol !== 'SCTP')
}

function target(node: Node, family: IpFamily, nodePort: number): string[] {
  const address = nodeAddresses(node).find((one) => familyOf(one) === family)
  return address === undefined ? [] : [joinHostPort(address, nodePort)]
}

/** Whether the load balancer sends a header of the PROXY protocol for a Service. */
export function sendsProxyHeader({ metadata }: Service): boolean {
  return metadata.annotations?.[proxyProtocolAnnotation] === '*'
}

function healthPort({ spec }: Service): number | undefined {
  return spec.externalTrafficPolicy === 'Local' ? spec.healthCheckNodePort : undefined
}

/** One nginx of the balancer: its file, and the command that starts it and returns once it listens. */
export interface BalancerProcess {
  readonly file: SandboxFile
  readonly argv: readonly string[]
  readonly pidFile: string
}

/**
 * The nginx of a load balancer. A change starts another one (`generation` counts them), and the previous one
 * finishes its open connections.
 */
export function balancerProcess(
  { netns }: Place,
  ports: readonly ProxiedPort[],
  generation: number,
  nginx: NginxPaths,
): BalancerProcess {
  const own = `${folder}/${generation}`
  return {
    file: { path: `${own}/nginx.conf`, text: balancerConfig(ports, own, nginx) },
    argv: [
      ...['nsenter', `--net=/run/netns/${netns}`, ...confined],
      ...['nginx', '-e', `${own}/error.log`, '-c', `${own}/nginx.conf`],
    ],
    pidFile: `${own}/pid`,
  }
}

/** nginx's configuration: connections and datagrams round robin to the node ports. */
export function balancerConfig(ports: readonly ProxiedPort[], own: string, nginx: NginxPaths): string {
  const load = nginx.streamModule === undefined ? '' : `load_module ${nginx.streamModule};\n`
  return (
    `${load}user root;\ndaemon on;\nmaster_process off;\npid ${own}/pid;\nerror_log ${own}/error.log;\n` +
    `events {\n  worker_connections 1024;\n}\n` +
    `stream {\n  proxy_connect_timeout ${connectTimeout};\n${ports.map(server).join('')}}\n`
  )
}

function server(
  { address, port, protocol, targets, proxyProtocol = false }: ProxiedPort,
  index: number,
): string {
  const header = proxyProtocol ? '    proxy_protocol on;\n' : ''
  const name = `service_${index}`
  const udp = protocol === 'UDP' ? ' udp' : ''
  return (
    `  upstream ${name} {\n${targets.map((one) => `    server ${one};\n`).join('')}  }\n` +
    `  server {\n    listen ${joinHostPort(address, port)}${udp} reuseport;\n${header}    proxy_pass ${name};\n  }\n`
  )
}
