import type { InsideFiles } from '../sandbox/insideFiles.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { controllersFolder, currentConfiguration } from './proxyProgram.js'

/** The configuration that the proxies of a controller accepted last. */
export interface WrittenConfiguration {
  /** Name of the controller. */
  readonly name: string
  /** Folder of the files, inside the sandbox. */
  readonly folder: string
  /** Without certificate files and private keys. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

/** The configurations of all controllers of a running lab, sorted by name. */
export function writtenConfigurations(sandbox: Pick<Sandbox, 'inside'>): WrittenConfiguration[] {
  const { inside } = sandbox
  return namesIn(inside, controllersFolder).map((name) => {
    const folder = `${controllersFolder}/${name}/${currentConfiguration}`
    // the folder is a link to the generation that is served
    const served = inside.target(folder)
    const files = namesIn(inside, served)
      .filter((file) => !file.endsWith('.pem'))
      .map((file) => ({ name: file, text: inside.read(`${served}/${file}`) }))
    return { name, folder, files: files.map((file) => ({ ...file, text: withoutKeys(file.text) })) }
  })
}

/** Replaces private keys in a text. */
export function withoutKeys(text: string): string {
  return text.replace(
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g,
    '(private key)',
  )
}

function namesIn(inside: Pick<InsideFiles, 'list'>, folder: string): string[] {
  try {
    return inside.list(folder).sort()
  } catch {
    return []
  }
}
