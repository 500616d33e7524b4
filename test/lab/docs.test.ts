import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadLab } from '../../src/lab/file/loadLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { isRequest } from '../../src/lab/file/toStep.js'
import { namesOf } from '../../src/names/names.js'
import { resolveLab } from '../../src/lab/names/resolveLab.js'
import { labJsonSchema } from '../../src/lab/file/jsonSchema.js'
import {
  countBounds,
  fewestRequests,
  luck,
  shareBounds,
  smallestRepeat,
} from '../../src/lab/expectations/pods/binomial.js'
import { topology } from './fixture.js'

const page = readFileSync('docs/lab-format.md', 'utf8')
const reference = readFileSync('docs/lab-reference.md', 'utf8')

/** Every field that the schema knows, with its description. */
function fields(schema: unknown): { name: string; description: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = 'properties' in schema ? Object.entries(schema.properties as Record<string, object>) : []
  const own = properties.map(([name, field]) => ({
    name,
    description: 'description' in field ? field.description : undefined,
  }))
  // the fields of kubeProxy are described by Kubernetes
  const inner = Object.entries(schema).filter(([name]) => name !== 'kubeProxy')
  return [...own, ...inner.flatMap(([, field]) => fields(field))]
}

t.test('every field is described in the schema, and in the reference', async (t) => {
  const all = fields(labJsonSchema())
  t.ok(all.length > 60)
  const namesOfAll = (some: typeof all) => some.map(({ name }) => name)
  const undescribed = all.filter(({ description }) => typeof description !== 'string')
  t.strictSame(namesOfAll(undescribed), [], 'fields without a description')
  const unlisted = all.filter(({ name }) => !new RegExp(`^- \`${name}\`(?: \\(|:)`, 'm').test(reference))
  t.strictSame(namesOfAll(unlisted), [], 'fields that the reference does not have')
})

t.test('editors know the fields of kubeProxy, and where the schema is', async (t) => {
  const schema = labJsonSchema() as {
    $id: string
    properties: { kubeProxy: { anyOf: { properties?: object; additionalProperties?: boolean }[] } }
  }
  const [mapping] = schema.properties.kubeProxy.anyOf
  t.equal(mapping?.additionalProperties, false)
  t.match(mapping?.properties, {
    mode: { type: 'string' },
    iptables: { properties: { masqueradeBit: { type: 'integer' } }, additionalProperties: false },
  })
  t.match(schema.$id, /^https:.*\/vethlab\/docs\/lab\.schema\.json$/)
})

/** The page shows whole labs, and expectations of some step that calls a Service. */
function toLab(example: string): string {
  if (!example.startsWith('expect:')) return example
  const indented = example.replaceAll(/^/gm, '    ')
  return `steps:\n  - name: example\n    curl: http://{node-a}:{web.nodePort}/\n    repeat: 200\n${indented}`
}

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web, tier: front } }
    spec: { containers: [{ name: web, image: nginx }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, nodePort: 30080 }] }
`

t.test('each example on the page loads, and its names have a meaning', async (t) => {
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)
  t.ok(examples.length >= 10)
  for (const example of examples) {
    const cwd = t.testdir({ lab: { manifests: { 'app.yaml': manifest } } })
    writeFileSync(join(cwd, 'lab/lab.yaml'), toLab(example))
    const lab = loadLab('lab', { cwd })
    // what its steps change is thought through with real objects
    if (lab.steps.some(({ action }) => !isRequest(action))) {
      t.equal(prepareLab('lab', { cwd }).steps.length, lab.steps.length, example.slice(0, 40))
      continue
    }
    t.equal(resolveLab(lab, namesOf(topology)).length, lab.steps.length, example.slice(0, 40))
  }
})

t.test('the figures on the page are true', async (t) => {
  t.same(shareBounds(200, 2), { least: 57, most: 143 })
  t.same(
    [2, 3, 4].map((pods) => smallestRepeat(pods)),
    [32, 56, 80],
  )
  const tail = luck / 4
  t.same(countBounds(400, 0.9, tail), { least: 318, most: 391 })
  t.same(countBounds(400, 0.1, tail), { least: 9, most: 82 })
  t.equal(fewestRequests(0.1, tail), 210)
})
