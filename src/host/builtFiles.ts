import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Language } from '../text/language.js'

/**
 * The built command line of this code, for processes of vethlab that vethlab starts: next to this module, or in `dist/` of
 * a folder above it. `process.argv` is not used: it may be the test of a library user.
 */
export function cliPath(from: string = fileURLToPath(import.meta.url)): string {
  return builtPath('cli.cjs', from)
}

/** The program that owns a node's portals in mode userspace. */
export function portalProgram(): readonly string[] {
  return [process.execPath, builtPath('portals.cjs', fileURLToPath(import.meta.url))]
}

/** The text of a built file of the pages in a browser. */
export function pageFile(name: string): string {
  return readFileSync(builtPath(join('page', name), fileURLToPath(import.meta.url)), 'utf8')
}

/** The built page of a report, with its texts in another language. */
export function reportPageFiles(language: Language = 'en') {
  return {
    script: pageFile('report.js'),
    style: pageFile('style.css'),
    texts: language === 'en' ? undefined : pageFile('koreanTexts.js'),
  }
}

/** The built page of a running lab, with the scripts that it loads on use. */
export function livePageFiles() {
  const onUse = ['terminal.js', 'editor.js', 'sentences.js'].map((name) => [`/${name}`, pageFile(name)])
  return {
    script: pageFile('live.js'),
    style: pageFile('style.css'),
    onUse: Object.fromEntries(onUse) as Readonly<Record<string, string>>,
  }
}

function builtPath(name: string, from: string): string {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const found = [join(folder, name), join(folder, 'dist', name)].find((path) => existsSync(path))
    if (found !== undefined) return found
    if (folder === dirname(folder))
      throw new Error(`vethlab is not built: there is no dist/${name} above ${from}`)
  }
}
