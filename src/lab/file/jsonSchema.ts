import * as z from 'zod'
import { kubeProxyFieldsSchema, kubeProxyJsonSchema } from './kubeProxySchema.js'
import { actionKeys, labSchema, stepSchema } from './schema.js'

/** Where editors find the JSON Schema of lab.yaml: in the npm package, as unpkg.com serves it. */
const labSchemaUrl = 'https://unpkg.com/vethlab/docs/lab.schema.json'

/** The JSON Schema of lab.yaml (draft 2020-12), with which editors complete and check it. */
export function labJsonSchema(): unknown {
  const schema = z.toJSONSchema(labSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === stepSchema)
        jsonSchema.oneOf = actionKeys.map((key) => ({ required: [key] }))
      if ((zodSchema as unknown) === kubeProxyFieldsSchema) {
        delete jsonSchema.propertyNames
        Object.assign(jsonSchema, kubeProxyJsonSchema())
      }
    },
  })
  return { $schema: schema.$schema, $id: labSchemaUrl, ...schema, title: 'lab.yaml' }
}
