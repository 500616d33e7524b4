import { join } from 'node:path'
import ts from 'typescript'
import type { Answers } from './answers.js'
import { createTypeSchemas, type Schema } from './typeSchema.js'

/** Where the npm package has the schemas, as unpkg.com serves it. */
const base = 'https://unpkg.com/vethlab/docs/schema'

/** The version of all documents so far. */
const version = 1

/** The JSON Schemas of what commands print with --json, by the name of their file; from the types of answers.ts. */
export function answerSchemas(): readonly { readonly file: string; readonly schema: Schema }[] {
  const root = join(import.meta.dirname, '../..')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object }
  }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const file = join(import.meta.dirname, 'answers.ts')
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const answers = source?.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === 'Answers',
  )
  if (answers === undefined) throw new Error('answers.ts has no Answers')
  const schemaOf = createTypeSchemas(checker)
  return checker.getPropertiesOfType(checker.getTypeAtLocation(answers)).map((answer) => {
    const name: `${keyof Answers}.v1.json` = `${answer.name as keyof Answers}.v${version}.json`
    return {
      file: name,
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `${base}/${name}`,
        title: ts.displayPartsToString(answer.getDocumentationComment(checker)),
        ...schemaOf(checker.getTypeOfSymbol(answer), answer.name),
      },
    }
  })
}
