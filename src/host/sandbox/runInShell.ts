import { keeperOf, placeVolumesFile } from '../../topology/planPlaceFiles.js'
import type { CommandResult } from './commandResult.js'
import type { InsideFiles } from './insideFiles.js'
import type { CommandOptions } from './commandOptions.js'
import { longestCommandMs } from './toolFailure.js'
import type { ToolShells } from './toolShells.js'

/** Commands of one `each` that run at the same time: enough to keep a few cores busy. */
const parallel = 8
/** How much longer a command may take for each of its values, in milliseconds: a busy host starts few processes in a second. */
const eachMs = 2000

/** One process for any number of values: xargs replaces {} itself. */
export function forEach(
  argv: readonly string[],
  each: readonly string[],
): [readonly string[], CommandOptions] {
  const fanned = ['xargs', '-0', '-P', String(parallel), '-I', '{}', ...argv]
  const quietMs = longestCommandMs + each.length * eachMs
  return [fanned, { stdout: 'ignore', input: each.map((item) => `${item}\0`).join(''), quietMs }]
}

/** Runs a tool in a shell of the sandbox; undefined if it needs its own process. */
export async function runInShell(
  shells: ToolShells,
  inside: InsideFiles,
  argv: readonly string[],
  options: CommandOptions,
): Promise<CommandResult | undefined> {
  const { netns, files, hostname, asUser, largeMessages, input, stdout, timeoutMs, quietMs, env, each } =
    options
  const own = [hostname, env, timeoutMs].some((option) => option !== undefined)
  if (own || asUser === true || largeMessages === true || typeof input === 'object') return undefined
  if (each !== undefined && each.length > parallel) return undefined
  // a place with files of its own may have another program of that name. A process of the lab can change what is read here, and
  // falsify results of its own lab; it gets no other rights by that
  if (files !== undefined && (options.tool !== true || inside.exists(placeVolumesFile(files))))
    return undefined
  const place =
    files === undefined ? {} : { filesOf: keeperOf((path) => inside.read(path), files)?.pid, limited: true }
  const begun = performance.now()
  const result = await shells.run({ ...place, argv, netns, each, input, stdout }, quietMs)
  return result && { ...result, timedOut: false, durationMs: performance.now() - begun }
}
