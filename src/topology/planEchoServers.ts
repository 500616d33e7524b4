import type { IpFamily } from '../net/ipFamily.js'
import { echoServerConfig, type EchoIdentity, type EchoPort, type NginxPaths } from './echoServer.js'
import type { Place, SandboxFile, Stage } from './types.js'

const folder = '/run/vethlab/echo'

/** A pod without a command of its own, or a host outside, and the ports on which its echo server answers. */
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

/** One echo server of a pod: its file, and what starts it and returns when it listens. */
export interface EchoServer {
  readonly file: SandboxFile
  readonly argv: readonly string[]
  /** Holds its pid, as the sandbox sees it. */
  readonly pidFile: string
}

/**
 * An echo server on its own. The one that a lab comes up with is generation 0; a pod that comes to need further ports
 * gets another one beside it, for these alone: a single nginx process cannot take on ports while it runs.
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
  // hostNetwork pods share a namespace: the folder cannot stand for the namespace there
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
