import { posix } from 'node:path'
import { controllerOf } from '../owners.js'
import type { Cluster, Commands, Container, Pod } from '../types.js'
import type { PodData } from './podData.js'
import { podVolumes, volumeMounts } from './podVolumes.js'

/** What decides about the command of a container: the data in its volumes, and what the host has. */
export type CommandData = PodData & Pick<Cluster, 'commands'>

/**
 * The command and arguments that run for a container; undefined when the built-in echo server replaces it. Images are not
 * pulled: that is the case without `command`, or with one that only the image has. `images` of the lab comes first. A
 * server never completes: in pods of Jobs, such containers do nothing and succeed.
 */
export function containerCommand(
  pod: Pod,
  container: Container,
  data: CommandData,
): readonly string[] | undefined {
  const given = imageCommand(container, data.commands)
  if (given !== undefined) return given === 'echo' ? undefined : given
  const { command = [], args = [] } = container
  if (command.length === 0 || isOnlyInImage(pod, container, data))
    return controllerOf(pod.metadata)?.kind === 'Job' ? ['true'] : undefined
  return [...command, ...args]
}

/** True for a container whose image is not run: the built-in echo server replaces it, whatever its args. */
export function isEchoContainer(pod: Pod, container: Container, data: CommandData): boolean {
  return containerCommand(pod, container, data) === undefined
}

/** True for a container with a command that neither the host nor a volume of its pod has. */
export function isOnlyInImage(pod: Pod, container: Container, data: CommandData): boolean {
  const [program = ''] = container.command ?? []
  const { commands } = data
  // a variable is known when the container starts
  if (commands === undefined || program === '' || program.includes('$(')) return false
  if (imageCommand(container, commands) !== undefined) return false
  if (!program.includes('/')) return !commands.exists(program)
  const { workingDir } = container
  const path = posix.resolve('/', typeof workingDir === 'string' ? workingDir : '', program)
  return !(isInVolume(pod, container, path, data) ?? commands.exists(path))
}

/** Whether the volume that is mounted around a path has this file; undefined for a path outside of all volumes. */
function isInVolume(pod: Pod, container: Container, path: string, data: PodData): boolean | undefined {
  if (container['volumeMounts'] === undefined) return undefined
  const { volumes } = podVolumes(pod, data)
  const mount = volumeMounts(container, volumes, {})
    .filter(({ target }) => path === target || path.startsWith(`${target}/`))
    .sort((a, b) => b.target.length - a.target.length)[0]
  if (mount === undefined) return undefined
  const file = posix.join(mount.subPath, path.slice(mount.target.length + 1))
  return volumes.some(({ name, files }) => name === mount.volume && files.some((one) => one.path === file))
}

/** What the lab runs for an image: of the longest pattern that matches. */
function imageCommand({ image = '' }: Container, commands: Commands | undefined) {
  const patterns = Object.entries(commands?.images ?? {}).filter(([pattern]) => isLike(image, pattern))
  return patterns.sort(([one], [other]) => other.length - one.length)[0]?.[1]
}

/** Whether an image matches a pattern, in which `*` is any text; without a tag, the pattern means every tag. */
function isLike(image: string, pattern: string): boolean {
  const text = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${text.join('.*')}([:@].*)?$`, 's').test(image)
}
