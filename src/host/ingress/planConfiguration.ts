import type { IpFamily } from '../../net/ipFamily.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import type { Stage } from '../../topology/types.js'
import { startFile, type ProxyProgram } from './proxyProgram.js'

/** The folder of a controller's proxy, and what it listens on. */
export interface ProxyPlace {
  readonly program: ProxyProgram
  /** The controller's folder in the sandbox, with the files of all its replicas. */
  readonly folder: string
  readonly families: readonly IpFamily[]
  readonly streamModule?: string | undefined
}

/** The files of a configuration, and the command that tests it. */
export type PlannedConfiguration = Pick<Stage, 'files' | 'commands'>

/** Files and commands of `put`; a plan has names instead of certificates and keys. */
export function planConfiguration(
  configuration: ProxyConfiguration,
  place: ProxyPlace,
  generation = '1',
): PlannedConfiguration {
  const { program, folder } = place
  const own = generationFolder(folder, generation)
  const files = program.write(configuration, { ...place, folder: own, generation })
  // in a folder of the controller without a running process
  const inFolder = ['sh', '-c', `mkdir -p "$2" && cd "$2" && ${program.test}`, 'sh']
  const test = { argv: [...inFolder, `${own}/${program.file}`, `${folder}/test`] }
  return {
    files: [
      ...files.map(({ name, ...file }) => ({ path: `${own}/${name}`, ...file })),
      ...(generation === '1' ? [startFile(program, folder)] : []),
    ],
    commands: program.test === undefined ? [] : [test],
  }
}

/** The folder of a configuration generation, in the folder of its controller. */
export function generationFolder(folder: string, generation: string): string {
  return `${folder}/generations/${generation}`
}
