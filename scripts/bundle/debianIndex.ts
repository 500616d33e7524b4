import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'zx'

/** The index of a flat repository of Debian packages, the file `Packages`: a paragraph for each .deb file in a folder. */
export async function debianIndex(folder: string): Promise<string> {
  const paragraphs: string[] = []
  for (const name of readdirSync(folder)
    .filter((one) => one.endsWith('.deb'))
    .toSorted()) {
    const content = readFileSync(join(folder, name))
    const { stdout } = await $`dpkg-deb --field ${join(folder, name)}`
    const sum = createHash('sha256').update(content).digest('hex')
    paragraphs.push(`${stdout.trimEnd()}\nFilename: ./${name}\nSize: ${content.length}\nSHA256: ${sum}\n`)
  }
  return paragraphs.join('\n')
}
