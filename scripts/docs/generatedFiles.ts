import { format } from 'prettier'
import { labJsonSchema } from '../../src/lab/file/jsonSchema.js'
import { exerciseJsonSchema } from '../../src/lab/workshop/schema.js'
import { causesPage } from './causesPage.js'
import { cliPage } from './cliPage.js'
import { kubeProxyVersionsPage } from './kubeProxyVersionsPage.js'
import { labReferencePage } from './labReference.js'

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** The files that `npm run docs` writes. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'docs/lab.schema.json', text: jsonText(labJsonSchema()) },
    { path: 'docs/exercise.schema.json', text: jsonText(exerciseJsonSchema()) },
    { path: 'docs/cli.md', text: await markdown(await cliPage()) },
    { path: 'docs/causes.md', text: await markdown(causesPage()) },
    { path: 'docs/kube-proxy-versions.md', text: await markdown(kubeProxyVersionsPage()) },
    { path: 'docs/lab-reference.md', text: await markdown(labReferencePage()) },
  ]
}

/** The JSON Schemas of answers, which take longer: the types of answers are read. */
export async function schemaFiles(): Promise<GeneratedFile[]> {
  const { answerSchemas } = await import('./answerSchemas.js')
  return answerSchemas().map(({ file, schema }) => ({ path: `docs/schema/${file}`, text: jsonText(schema) }))
}

async function markdown(text: string): Promise<string> {
  return format(text, { parser: 'markdown' })
}

function jsonText(schema: unknown): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}
