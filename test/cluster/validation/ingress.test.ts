import t from 'tap'
import { kindOf } from '../../../src/cluster/kinds/index.js'
import { problemsOf, readObject } from '../../../src/cluster/manifests/readObject.js'
import { parseDocuments } from '../../../src/cluster/yaml/documents.js'

/** Problems with their lines. */
function problems(spec: string, annotations = ''): string[] {
  const metadata = `metadata: { name: web${annotations === '' ? '' : `, annotations: { ${annotations} }`} }`
  const text = `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${metadata}\nspec:\n${spec}`
  const [document] = parseDocuments('web.yaml', text).documents
  const written = { ...document!, value: document!.value as never, file: 'web.yaml' }
  const { located, problems } = readObject(written, kindOf('Ingress'))
  return [...problems, ...problemsOf(located!, located?.faults ?? [])].map(
    ({ message, at }) => `${at?.line}: ${message.replace('The Ingress "web" is invalid: ', '')}`,
  )
}

const backend = '{ service: { name: web, port: { number: 80 } } }'
const standard = `  defaultBackend: ${backend}\n`
const path = (fields: string) => `  rules: [{ http: { paths: [{ ${fields} }] } }]\n`
const prefix = (text: string) => path(`path: ${text}, pathType: Prefix, backend: ${backend}`)
const at = 'spec.rules[0].http.paths[0]'

const refused: readonly [spec: string, ...expected: string[]][] = [
  ...['/a//b', '/a/./b', '/a/../b', '/a%2fb', '/a%2Fb'].map((text): [string, string] => [
    prefix(text),
    `5: ${at}.path: Invalid value: "${text}": must not contain '${/\/\/|\/\.+\/|%2./.exec(text)?.[0]}'`,
  ]),
  [prefix('/a/..'), `5: ${at}.path: Invalid value: "/a/..": cannot end with '/..'`],
  [prefix('/a/.'), `5: ${at}.path: Invalid value: "/a/.": cannot end with '/.'`],
  [
    prefix('a//b'),
    `5: ${at}.path: Invalid value: "a//b": must be an absolute path`,
    `5: ${at}.path: Invalid value: "a//b": must not contain '//'`,
  ],
  [
    path(`path: a, pathType: ImplementationSpecific, backend: ${backend}`),
    `5: ${at}.path: Invalid value: "a": must be an absolute path`,
  ],
  // without a type, nothing else is validated
  [path('path: a, backend: {}'), `5: ${at}.pathType: Required value: pathType must be specified`],
  [
    path('path: /, pathType: Prefix, backend: {}'),
    `5: ${at}.backend: Invalid value: "": resource or service backend is required`,
  ],
  [
    path('path: /, pathType: Prefix, backend: { service: { name: web } }'),
    `5: ${at}.backend: Required value: port name or number is required`,
  ],
  [
    '  defaultBackend: { resource: { apiGroup: Up.example, kind: "", name: a/b } }\n',
    `5: spec.defaultBackend.resource.apiGroup: Invalid value: "Up.example"`,
    '5: spec.defaultBackend.resource.kind: Required value',
    `5: spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/'`,
  ],
  ['  rules: [{ http: {} }]\n', '5: spec.rules[0].http.paths: Required value'],
  [
    '  rules: [{ host: "::1" }]\n',
    '5: spec.rules[0].host: Invalid value: "::1": must be a DNS name, not an IP address',
    '5: spec.rules[0].host: Invalid value: "::1": a lowercase RFC 1123 subdomain',
  ],
  [
    `${standard}  tls: [{ hosts: [a.example, "*", UP], secretName: "a_b" }]\n`,
    '6: spec.tls[0].hosts[1]: Invalid value: "*": a wildcard DNS-1123 subdomain must start with',
    '6: spec.tls[0].hosts[2]: Invalid value: "UP": a lowercase RFC 1123 subdomain',
    '6: spec.tls[0].secretName: Invalid value: "a_b": a lowercase RFC 1123 subdomain',
  ],
  [
    `${standard}  ingressClassName: Nginx\n`,
    '6: spec.ingressClassName: Invalid value: "Nginx": a lowercase RFC 1123 subdomain',
  ],
]

for (const [spec, ...expected] of refused)
  t.test(`the API server rejects ${spec.trim()}`, async (t) => {
    const found = problems(spec)
    t.equal(found.length, expected.length, found.join('\n'))
    for (const [index, text] of expected.entries()) t.equal(found[index]?.slice(0, text.length), text)
  })

t.test('and accepts valid ones', async (t) => {
  t.same(problems(prefix('/a/.b/c..')), [])
  t.same(problems(path(`pathType: ImplementationSpecific, backend: ${backend}`)), [])
  t.same(problems(path(`path: /a//(.*), pathType: ImplementationSpecific, backend: ${backend}`)), [])
  t.same(problems(`${standard}  tls: [{ hosts: ["*.example.com"] }, {}]\n  ingressClassName: a.b\n`), [])
  t.same(problems('  defaultBackend: { resource: { kind: StorageBucket, name: icons } }\n'), [])
})

t.test('a class is named once, or twice the same', async (t) => {
  const named = `${standard}  ingressClassName: nginx\n`
  t.same(problems(named, 'kubernetes.io/ingress.class: nginx'), [])
  t.same(problems(named, 'kubernetes.io/ingress.class: other'), [
    '3: annotations.kubernetes.io/ingress.class: Invalid value: "other": must match `ingressClassName` when both are specified',
  ])
})
