// Writes docs/lab.schema.json, the JSON Schema of lab.yaml, from the schema that labs are checked with.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { labJsonSchema } from '../src/lab/schema.js'

const path = join(import.meta.dirname, '../docs/lab.schema.json')
writeFileSync(path, `${JSON.stringify(labJsonSchema(), null, 2)}\n`)
