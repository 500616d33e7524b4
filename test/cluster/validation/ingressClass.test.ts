import t from 'tap'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { refusals } from '../lab.js'

function text(spec: string): string {
  return `apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: { name: x }\nspec:\n  ${spec}\n`
}

function read(spec: string): unknown {
  return parseManifests([{ path: 'a.yaml', text: text(spec) }]).objects[0]?.object
}

const at = /^a\.yaml:[45]:\d+: /
const parameters = (fields: string) => `{ controller: a.example/c, parameters: { ${fields} } }`
const refused: readonly [spec: string, ...errors: string[]][] = [
  ['{}', 'spec.controller: Required value'],
  ...['nginx', '/nginx', 'a.example/'].map((name): [string, string] => [
    `{ controller: ${name} }`,
    `spec.controller: Invalid value: "${name}": must be a domain-prefixed path (such as "acme.io/foo")`,
  ]),
  [
    '{ controller: A.example/c }',
    'spec.controller: Invalid value: "A.example": a lowercase RFC 1123 subdomain',
  ],
  [
    '{ controller: "a.example/c d" }',
    'spec.controller: Invalid value: "c d": Invalid path (regex used for validation is',
  ],
  [
    `{ controller: a.example/${'c'.repeat(250)} }`,
    'spec.controller: Too long: may not be more than 250 bytes',
  ],
  [parameters('kind: A'), 'spec.parameters.name: Required value'],
  [
    parameters('apiGroup: A, name: a%b, kind: ..'),
    'spec.parameters.apiGroup: Invalid value: "A"',
    `spec.parameters.kind: Invalid value: "..": may not be '..'`,
    `spec.parameters.name: Invalid value: "a%b": may not contain '%'`,
  ],
  [
    parameters('kind: A, name: b, scope: Node'),
    'spec.parameters.scope: Unsupported value: "Node": supported values: "Cluster", "Namespace"',
  ],
  [
    parameters('kind: A, name: b, scope: Namespace'),
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ],
  [
    parameters('kind: A, name: b, scope: Namespace, namespace: a.b'),
    'spec.parameters.namespace: Invalid value: "a.b": must not contain dots',
  ],
  [
    parameters('kind: A, name: b, namespace: c'),
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ],
]

for (const [spec, ...errors] of refused)
  t.test(`the API server rejects ${spec.slice(0, 80)}`, async (t) => {
    const found = refusals(() => read(spec))
    t.equal(found.length, errors.length, found.join('\n'))
    for (const [index, error] of errors.entries()) {
      const line = found[index] ?? ''
      t.match(line, at)
      t.ok(line.includes(`The IngressClass "x" is invalid: ${error}`), line)
    }
  })

t.test('and accepts valid ones', async (t) => {
  t.match(read('{ controller: a.example/b/c }'), { spec: { controller: 'a.example/b/c' } })
  t.match(read(parameters('apiGroup: k8s.example.com, kind: IngressParameters, name: external-lb')), {
    spec: { parameters: { kind: 'IngressParameters', scope: 'Cluster' } },
  })
})
