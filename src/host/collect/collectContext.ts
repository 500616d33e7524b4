import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { CannotRunError } from '../../errors.js'
import { collectByKubectl, type Collected, type CollectOptions } from './collectFrom.js'

/** A cluster that kubectl reads. */
export interface Context {
  readonly name: string
  /** The address of its API server. */
  readonly server: string
}

/**
 * Collects from the cluster that kubectl uses with these options (`--context`, `--kubeconfig`), if `consents`; returns the new folder
 * and what is in it. The folder stays; a copy of the kubeconfig, which may hold credentials, does not. Throws CannotRunError.
 */
export async function collectContext(
  kubectlOptions: readonly string[],
  image: string,
  consents: (context: Context) => Promise<boolean>,
  options: Omit<CollectOptions, 'folder'>,
): Promise<{ readonly folder: string; readonly collected: readonly Collected[] } | undefined> {
  const view = ['config', 'view', '--minify', '--flatten', ...kubectlOptions, '-o']
  const names = await kubectl(
    [...view, 'jsonpath={.current-context} {.clusters[0].cluster.server}'],
    options.signal,
  )
  const [name = '', server = ''] = names.split(' ')
  if (!(await consents({ name, server }))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-collect-'))
  const kubeconfig = join(folder, 'kubeconfig')
  try {
    writeFileSync(kubeconfig, await kubectl([...view, 'yaml'], options.signal), { mode: 0o600 })
    return { folder, collected: await collectByKubectl(kubeconfig, image, { ...options, folder }) }
  } finally {
    rmSync(kubeconfig, { force: true })
  }
}

async function kubectl(args: readonly string[], signal: AbortSignal): Promise<string> {
  const { exitCode, stdout, stderr, originalMessage } = await execa('kubectl', [...args], {
    ...{ stdin: 'ignore', reject: false, cancelSignal: signal },
  })
  signal.throwIfAborted()
  if (exitCode === 0) return stdout
  const why = stderr.trim() || (originalMessage ?? '')
  throw new CannotRunError(`kubectl names no cluster to collect from: ${why}`)
}
