import { readdirSync, readFileSync } from 'node:fs'
import type { Sandbox } from '../sandbox.js'
import { controllersFolder, currentConfiguration } from './proxyProgram.js'

/** What the proxies of a controller have been told last, of all that they took. */
export interface WrittenConfiguration {
  /** Name of the controller. */
  readonly name: string
  /** Where they are, inside the sandbox. */
  readonly folder: string
  /** Without certificates; private keys are left out. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

/** The configurations of the controllers of a lab that is up, in the order of their names. */
export function writtenConfigurations(sandbox: Pick<Sandbox, 'path'>): WrittenConfiguration[] {
  return namesIn(sandbox.path(controllersFolder)).map((name) => {
    const folder = `${controllersFolder}/${name}/${currentConfiguration}`
    const files = namesIn(sandbox.path(folder))
      .filter((file) => !file.endsWith('.pem'))
      .map((file) => ({ name: file, text: readFileSync(sandbox.path(`${folder}/${file}`), 'utf8') }))
    return { name, folder, files: files.map((file) => ({ ...file, text: withoutKeys(file.text) })) }
  })
}

/** A text with its private keys taken out. */
export function withoutKeys(text: string): string {
  return text.replace(
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g,
    '(private key)',
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
