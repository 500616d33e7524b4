// Licenses of bundled packages, which ask that their text goes with each copy.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The licenses of the packages whose files went into bundles, each with its name and version, in the order of names. `metafiles`
 * are those of esbuild, with paths relative to `root`. Throws an Error for a package without a license file.
 */
export function bundledLicenses(metafiles, root) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => path.includes('node_modules/')),
    ),
  )
  const folders = [...new Set(inputs.map((path) => packageFolder(join(root, path))))]
  const texts = new Map(folders.map((folder) => entryOf(folder)))
  return [...texts.keys()]
    .sort()
    .map((name) => `${name}\n${'-'.repeat(name.length)}\n\n${texts.get(name)}\n`)
    .join('\n')
}

/** The folder of the package that has a file: package.json files without a name only set the kind of modules. */
function packageFolder(path) {
  let folder = dirname(path)
  while (!nameOf(folder)) folder = dirname(folder)
  return folder
}

function nameOf(folder) {
  const file = join(folder, 'package.json')
  const { name, version } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return name && version && `${name} ${version}`
}

function entryOf(folder) {
  const named = (pattern) => readdirSync(folder).filter((file) => pattern.test(file))
  const licenses = named(/^licen[cs]e/i)
  if (licenses.length === 0) throw new Error(`${nameOf(folder)} has no license file`)
  const files = [...licenses, ...named(/^notice/i)]
  return [nameOf(folder), files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')]
}
