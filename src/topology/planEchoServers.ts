import type { IpFamily } from '../cluster/types.js'
import { echoServerConfig, type EchoIdentity, type EchoPort, type NginxPaths } from './echoServer.js'
import type { Place, Stage } from './types.js'

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
    title: 'echo servers in the pods',
    files: serving.map(({ place, ports }) => ({
      path: `${folder}/${key(place)}/nginx.conf`,
      text: echoServerConfig(identityOf(place), ports, families, `${folder}/${key(place)}`, nginx),
    })),
    commands: netnsGroups(serving),
  }
}

function identityOf({ kind, name, namespace = 'default', node = '' }: Place): EchoIdentity {
  return kind === 'client' ? { host: name } : { pod: name, namespace, node }
}

/** Holds the pid of a pod's echo server, as the sandbox sees it. */
export function echoPidFile(place: Place): string {
  return `${folder}/${key(place)}/pid`
}

/** What starts the echo server of one pod, its configuration being there; returns when it listens. */
export function startEchoServer(place: Place): string[] {
  return nginxCommand(place.netns, key(place))
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
