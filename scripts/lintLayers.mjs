import { dirname, relative, resolve } from 'node:path'

/**
 * An ESLint plugin with one rule: a file imports only from its own layer's folder and from the layers below, types included.
 * `layers` lists rows of folders and files of `root`, from top to bottom; folders in one row do not import each other.
 * `ownModules` lists, by folder, modules of Node and packages that no other folder imports.
 */
export function layersPlugin(root, layers, ownModules = {}) {
  const rowOf = (name) => layers.findIndex((row) => row.includes(name))
  const placeOf = (path) => {
    const [first, ...rest] = relative(root, path).replace(/\.js$/, '.ts').split('/')
    return first === '..' ? undefined : { name: first, isFile: rest.length === 0 }
  }
  const create = (context) => {
    const own = placeOf(context.filename)
    if (own === undefined) return {}
    const checkModule = (source) => {
      const module = source.value.replace(/^node:/, '')
      for (const [folder, modules] of Object.entries(ownModules))
        if (folder !== own.name && modules.includes(module))
          context.report({ node: source, message: `only ${folder} may import ${module}` })
    }
    const check = (source) => {
      if (typeof source?.value !== 'string') return
      if (!source.value.startsWith('.')) return checkModule(source)
      const other = placeOf(resolve(dirname(context.filename), source.value))
      if (other === undefined || other.name === own.name) return
      if (rowOf(own.name) === -1 || rowOf(other.name) === -1)
        context.report({
          node: source,
          message: `${other.name} or ${own.name} is missing in the table of layers`,
        })
      else if (rowOf(other.name) <= rowOf(own.name))
        context.report({
          node: source,
          message: `${own.name} may import only from the layers below it, not ${other.name}`,
        })
    }
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source, argument }) => check(source ?? argument?.literal),
    }
  }
  return { rules: { order: { meta: { type: 'problem', schema: [] }, create } } }
}
