import { readFileSync } from 'node:fs'
import { placePidFile } from '../../../topology/planPlaceFiles.js'
import { confined } from '../../sandbox/confined.js'
import { endsWithParent } from '../../sandbox/endsWithParent.js'
import { named } from '../../sandbox/enterSandbox.js'
import type { EnterableContainer, PodAccess } from './access.js'

/** A running container of a lab, by what is needed to enter it from inside the sandbox. */
export interface LabContainer {
  /** `namespace/name` of its pod. */
  readonly pod: string
  readonly name: string
  readonly netns: string
  /** The files that it sees, by the key of PlaceFiles. */
  readonly files: string
  /** What `hostname` prints in a container without such files. */
  readonly hostname?: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** The file with its output; absent for an echo server. */
  readonly log?: string | undefined
}

/** The containers of a lab, for a process in its sandbox. */
export function accessTo(containers: readonly LabContainer[]): PodAccess {
  const pods = new Map<string, EnterableContainer[]>()
  for (const { pod, name, netns, files, hostname, env, log } of containers) {
    const command = (argv: readonly string[]) => enter({ netns, files, hostname }, argv)
    const enterable = { name, env, log, command }
    const known = pods.get(pod)
    if (known === undefined) pods.set(pod, [enterable])
    else known.push(enterable)
  }
  return (pod) => pods.get(pod)
}

/** Like `enterSandbox`, but from inside: the other namespaces are already those of the sandbox. */
function enter(
  { netns, files, hostname }: Pick<LabContainer, 'netns' | 'files' | 'hostname'>,
  argv: readonly string[],
): string[] {
  const keeper = keeperOf(files)
  return [
    ...endsWithParent,
    'nsenter',
    ...(keeper === undefined ? [] : [`--mount=/proc/${keeper}/ns/mnt`, `--uts=/proc/${keeper}/ns/uts`]),
    `--net=/run/netns/${netns}`,
    '--',
    ...(keeper === undefined && hostname !== undefined ? named(hostname) : []),
    ...confined,
    ...argv,
  ]
}

function keeperOf(files: string): string | undefined {
  try {
    return /^\d+$/.exec(readFileSync(placePidFile(files), 'utf8').trim())?.[0]
  } catch {
    // Nothing in the pod is its own.
    return undefined
  }
}
