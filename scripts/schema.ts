// Writes docs/lab.schema.json and docs/exercise.schema.json, the JSON Schemas of lab.yaml and exercise.yaml, from the
// schemas that these files are checked with.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { labJsonSchema } from '../src/lab/file/schema.js'
import { exerciseJsonSchema } from '../src/lab/workshop/schema.js'

write('lab', labJsonSchema())
write('exercise', exerciseJsonSchema())

function write(name: string, schema: unknown): void {
  const path = join(import.meta.dirname, `../docs/${name}.schema.json`)
  writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`)
}
