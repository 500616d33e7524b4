import { echoPorts } from '../cluster/pods/echoPorts.js'
import { ServiceIndex } from '../cluster/labelIndex.js'
import type { Cluster } from '../cluster/types.js'
import { podPlaces } from './followPods.js'
import { confined } from './confined.js'
import type { IpFamily } from '../net/ipFamily.js'
import { echoServerConfig, type EchoIdentity, type EchoPort, type NginxPaths } from './echoServer.js'
import type { Place, SandboxFile, Stage } from './types.js'

const folder = '/run/vethlab/echo'

/** A pod without its own command, or an outside host, and the ports of its echo server. */
export interface EchoPod {
  readonly place: Place
  readonly ports: readonly EchoPort[]
}

/** One nginx per pod, all started at once; nginx returns when it listens. */
export function planEchoServers(
  pods: readonly EchoPod[],
  families: readonly IpFamily[],
  nginx: NginxPaths,
): Stage {
  const serving = pods.filter(({ ports }) => ports.length > 0)
  return {
    name: 'echo servers in the pods',
    files: serving.map((pod) => echoServer(pod, families, nginx).file),
    commands: netnsGroups(serving),
  }
}

function identityOf({ kind, name, namespace = 'default', node = '' }: Place): EchoIdentity {
  return kind === 'client' ? { host: name } : { pod: name, namespace, node }
}

/** One echo server of a pod: its file, and the command that starts it and returns once it listens. */
export interface EchoServer {
  readonly file: SandboxFile
  readonly argv: readonly string[]
  /** Contains its pid in the sandbox. */
  readonly pidFile: string
}

/**
 * One echo server. The initial one is generation 0; a pod that later needs more ports
 * gets another one for these ports only: a single nginx process cannot add ports while it runs.
 */
export function echoServer(
  { place, ports }: EchoPod,
  families: readonly IpFamily[],
  nginx: NginxPaths,
  generation = 0,
): EchoServer {
  const name = generation === 0 ? key(place) : `${key(place)}.${generation}`
  const own = `${folder}/${name}`
  return {
    file: {
      path: `${own}/nginx.conf`,
      text: echoServerConfig(identityOf(place), ports, families, own, nginx),
    },
    argv: nginxCommand(place.netns, name),
    pidFile: `${own}/pid`,
  }
}

function netnsGroups(pods: readonly EchoPod[]): Stage['commands'] {
  // hostNetwork pods share a namespace, so that it cannot name the folder
  const own = pods.filter(({ place }) => key(place) === place.netns)
  const shared = pods.filter(({ place }) => key(place) !== place.netns)
  return [
    ...(own.length === 0
      ? []
      : [{ argv: nginxCommand('{}', '{}'), each: own.map(({ place }) => place.netns) }]),
    ...shared.map(({ place }) => ({ argv: nginxCommand(place.netns, key(place)) })),
  ]
}

function nginxCommand(netns: string, name: string): string[] {
  const files = `${folder}/${name}`
  return [
    'nsenter',
    `--net=/run/netns/${netns}`,
    // a lab can write to its configuration
    ...confined,
    'nginx',
    '-e',
    `${files}/error.log`,
    '-c',
    `${files}/nginx.conf`,
  ]
}

/** `_` keeps a hostNetwork pod's folder apart from every namespace's name. */
function key(place: Place): string {
  return place.netns === place.node
    ? `${place.node}_${place.namespace ?? 'default'}_${place.name}`
    : place.netns
}

/** The pods among these places that have an echo server, and its ports. */
export function echoPods(cluster: Cluster, places: readonly Place[]): EchoPod[] {
  const services = new ServiceIndex(cluster.services)
  return podPlaces(cluster, places).map(({ pod, place }) => ({
    place,
    ports: echoPorts(pod, cluster, services),
  }))
}
