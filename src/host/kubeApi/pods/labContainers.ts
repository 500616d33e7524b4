import { readFileSync } from 'node:fs'
import { confinedIn, withVariables } from '../../../topology/confined.js'
import { keeperOf } from '../../../topology/planPlaceFiles.js'
import { toolPath } from '../../environment.js'
import { endsWithParent, toolAt } from '../../sandbox/endsWithParent.js'
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
    const command = (argv: readonly string[]) => enter({ netns, files, hostname }, withVariables(env, argv))
    const enterable = { name, log, command }
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
  const keeper = keeperOf((path) => readFileSync(path, 'utf8'), files)
  return [
    ...endsWithParent.map(toolAt),
    toolPath('nsenter'),
    ...(keeper === undefined
      ? []
      : [`--mount=/proc/${keeper.pid}/ns/mnt`, `--uts=/proc/${keeper.pid}/ns/uts`, '--root=/', '--wd=/']),
    `--net=/run/netns/${netns}`,
    '--',
    ...(keeper?.own !== true && hostname !== undefined ? named(hostname) : []),
    ...confinedIn(keeper?.pid, toolPath),
    ...argv,
  ]
}
