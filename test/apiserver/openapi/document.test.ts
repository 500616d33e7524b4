import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { openApi, openApiDocument } from '../../../src/apiserver/openapi/document.js'
import { mergedFields } from '../../../src/cluster/schema/mergeKeys.js'
import { apiVersionOf, resources } from '../../../src/apiserver/resources.js'
import type { Schema, StructSchema } from '../../../src/cluster/schema/field.js'
import { serve } from '../serve.js'
import { ask } from '../client.js'

interface Described {
  components: { schemas: Record<string, { properties?: Record<string, Record<string, unknown>> }> }
  paths: Record<string, Record<string, { 'x-kubernetes-group-version-kind': { kind: string } }>>
}

const pathOf = (apiVersion: string) => (apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`)

void t.test('the index has a document for every group and version', async (t) => {
  const { server } = await serve(t)
  const index = (await ask(server, '/openapi/v3')).json as {
    paths: Record<string, { serverRelativeURL: string }>
  }
  t.same(Object.keys(index.paths), [...new Set(resources.map((one) => pathOf(apiVersionOf(one))))])
  for (const { serverRelativeURL } of Object.values(index.paths)) {
    const { code, json } = await ask(server, serverRelativeURL)
    t.equal(code, 200)
    t.match(json, { openapi: '3.0.0', components: { schemas: {} } })
  }
  t.equal((await ask(server, '/openapi/v3/apis/absent/v1')).code, 404)
  const protobuf = { Accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf' }
  t.equal((await ask(server, '/openapi/v3', { headers: protobuf })).code, 406)
})

void t.test('every reference has its component, and every kind its paths', async (t) => {
  const withoutComponent = new Set<string>()
  let references = 0
  for (const apiVersion of new Set(resources.map(apiVersionOf))) {
    const document = openApiDocument(pathOf(apiVersion), true) as Described
    for (const [, name = ''] of JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
      references += 1
      if (document.components.schemas[name] === undefined) withoutComponent.add(`${apiVersion}: ${name}`)
    }
    const shown = Object.values(document.paths).flatMap((operations) => Object.values(operations))
    const described = new Set(shown.map((one) => one['x-kubernetes-group-version-kind'].kind))
    const kinds = resources.filter((one) => apiVersionOf(one) === apiVersion).map(({ kind }) => kind)
    t.same(
      kinds.filter((kind) => !described.has(kind)),
      [],
      `every kind of ${apiVersion} has paths`,
    )
  }
  t.ok(references > 500, `${references} references`)
  t.same([...withoutComponent], [], 'every reference has its component')
})

void t.test('types, names and merge keys', async (t) => {
  const { schemas } = (openApiDocument('api/v1', true) as Described).components
  const spec = schemas['io.k8s.api.core.v1.ServiceSpec']?.properties
  t.match(spec?.['ports'], {
    type: 'array',
    items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ServicePort' }] },
    'x-kubernetes-patch-merge-key': 'port',
    'x-kubernetes-patch-strategy': 'merge',
  })
  t.same(spec?.['healthCheckNodePort'], { type: 'integer', format: 'int32' })
  t.same(spec?.['selector'], { type: 'object', additionalProperties: { type: 'string' } })
  t.same(schemas['io.k8s.api.core.v1.Service'], {
    ...schemas['io.k8s.api.core.v1.Service'],
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'Service', version: 'v1' }],
  })
  t.ok(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'])
  const routes = (openApiDocument('apis/gateway.networking.k8s.io/v1', true) as Described).components.schemas
  t.ok(routes['io.k8s.networking.gateway.v1.HTTPRoute'])
})

void t.test('a client that accepts only protobuf gets a 406', async (t) => {
  t.throws(() => openApi('', 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf', true))
  t.ok(openApi('', undefined, true))
})

/** Every struct below a schema. */
function structsIn(schema: Schema, found: Set<StructSchema>): Set<StructSchema> {
  if (schema.kind === 'list' || schema.kind === 'map') structsIn(schema.of, found)
  if (schema.kind !== 'struct' || found.has(schema)) return found
  found.add(schema)
  for (const field of Object.values(schema.fields)) structsIn(field, found)
  return found
}

void t.test('one name means one struct in a document', async (t) => {
  const all = new Set<string>()
  const different: string[] = []
  for (const apiVersion of new Set(resources.map(apiVersionOf))) {
    const byName = new Map<string, StructSchema>()
    for (const resource of resources) {
      if (apiVersionOf(resource) !== apiVersion || !('schema' in resource)) continue
      for (const struct of structsIn(resource.schema, new Set())) {
        const known = byName.get(struct.name) ?? struct
        if (!isDeepStrictEqual(known, struct)) different.push(`${apiVersion} ${struct.name}`)
        byName.set(struct.name, struct)
        for (const field of Object.keys(struct.fields)) all.add(`${struct.name}.${field}`)
      }
    }
  }
  t.ok(all.size > 500, `${all.size} fields`)
  t.same(different, [], 'structs of one name are the same')
  const merged = Object.entries(mergedFields).flatMap(([struct, fields]) =>
    Object.keys(fields).map((field) => `${struct}.${field}`),
  )
  t.same(
    merged.filter((field) => !all.has(field)),
    [],
    'a mistyped name of a merged field would be ignored',
  )
})

void t.test('version 2 describes nothing, so that kubectl accepts every item of a List', async (t) => {
  const { server } = await serve(t)
  const json = await ask(server, '/openapi/v2')
  t.match(json.json, { swagger: '2.0', info: { version: 'v1' }, paths: {} })
  for (const version of ['v2@v1.0', 'v2.v1.0']) {
    const headers = { Accept: `application/com.github.proto-openapi.spec.${version}+protobuf` }
    const { code, headers: answered, body } = await ask(server, '/openapi/v2', { headers })
    t.equal(code, 200)
    t.equal(answered['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
    // swagger is field 1, info is field 2, with the title in field 1 and the version in field 2
    t.equal(body.toString(), '\n\x032.0\x12%\n\x1fKubernetes API of a vethlab lab\x12\x02v1')
  }
  t.equal((await ask(server, '/openapi/v2', { headers: { Accept: 'text/html' } })).code, 406)
  t.equal((await ask(server, '/openapi/v2/more')).code, 404)
})
