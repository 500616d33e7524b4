import { extname } from 'node:path'
import { readManifestFiles } from '../../host/manifestFiles.js'
import { joinSandbox, type Sandbox } from '../../host/sandbox/sandbox.js'
import { withUpLab, type UpLab } from '../../up/upLab.js'
import { runInLab } from '../exec.js'
import { settleLab } from '../orders.js'
import { changesObjects } from './kubectlWords.js'

/** Whether the host's kubectl can be run in a running lab. */
export async function hasKubectl(lab: string): Promise<boolean> {
  const { exitCode } = await withUpLab(lab, (up) =>
    joinSandbox(up.pid, up.rootless).run(['sh', '-c', 'command -v kubectl']),
  )
  return exitCode === 0
}

/**
 * Runs the host's kubectl in the sandbox of a running lab, in whose network namespace the API is; returns its exit code. After a
 * change it waits for the lab to settle.
 */
export async function hostKubectl(lab: string, words: readonly string[]): Promise<number> {
  const files = new CopiedFiles()
  const code = await runInLab(lab, async (up) => {
    const sandbox = joinSandbox(up.pid, up.rootless)
    const argv = await files.copy(sandbox, words)
    return sandbox.command(['kubectl', ...argv])
  })
  let settled = 0
  await withUpLab(lab, async (up) => {
    await files.remove(up)
    if (code === 0 && changesObjects(words)) settled = await settleLab(up)
  })
  return code === 0 ? settled : code
}

/** Files of `-f`, copied into a sandbox, which does not see the user's folders. */
class CopiedFiles {
  readonly #folder = `/run/vethlab/kubectl-${process.pid}`
  #count = 0

  /** The words, with the paths of copies. `-` and URLs stay. Throws InputError for a file that cannot be read. */
  async copy(sandbox: Sandbox, words: readonly string[]): Promise<string[]> {
    const copied: string[] = []
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? ''
      if (word === '--') return [...copied, ...words.slice(at)]
      const [, option = '', joined = ''] = /^(-f|--filename=)(.+)$/.exec(word) ?? []
      if (option !== '') copied.push(...(await this.#paths(sandbox, joined)))
      else if (word === '-f' || word === '--filename') {
        at += 1
        copied.push(...(await this.#paths(sandbox, words[at] ?? '')))
      } else copied.push(word)
    }
    return copied
  }

  async #paths(sandbox: Sandbox, path: string): Promise<string[]> {
    if (path === '-' || path === '' || /^https?:/.test(path)) return ['-f', path]
    const files = readManifestFiles([path]).map(({ path: from, text }) => {
      this.#count += 1
      return { path: `${this.#folder}/${this.#count}${extname(from)}`, text }
    })
    await sandbox.writeFiles(files)
    return files.flatMap((file) => ['-f', file.path])
  }

  async remove({ pid, rootless }: UpLab): Promise<void> {
    if (this.#count > 0) await joinSandbox(pid, rootless).run(['rm', '-r', this.#folder])
  }
}
