import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** One of the repository's own scripts as a module, from the checkout and not from build/code: these find their checkout by where they are. */
export async function load<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(process.cwd(), path)).href)) as Module
}
