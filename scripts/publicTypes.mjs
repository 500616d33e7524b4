// Types of the library: `node scripts/publicTypes.mjs` writes the declarations that src/index.ts needs to dist/types.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the declarations of the library to a folder, without those that it does not need. Throws an Error for an import of
 * a package: users would have to install it to check their types.
 */
export function writePublicTypes(folder) {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.types.json'), {}, ts.sys)
  const declarations = new Map()
  const { diagnostics } = ts
    .createProgram(config.fileNames, { ...config.options, outDir: folder })
    .emit(undefined, (path, text) => declarations.set(path, text))
  if (diagnostics.length > 0)
    throw new Error(
      diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'),
    )
  const written = new Set()
  const write = (path) => {
    if (written.has(path)) return
    written.add(path)
    const text = declarations.get(path)
    if (text === undefined) throw new Error(`no declarations of ${relative(folder, path)}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('.')) write(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')))
      else if (!fileName.startsWith('node:'))
        throw new Error(
          `${relative(folder, path)} imports "${fileName}", which users of the library do not have`,
        )
    }
  }
  write(join(folder, 'index.d.ts'))
  return written.size
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePublicTypes(join(root, 'dist/types'))
