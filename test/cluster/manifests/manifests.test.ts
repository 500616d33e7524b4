import t from 'tap'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { refusals } from '../lab.js'

function parse(text: string, ignore: readonly string[] = []) {
  return parseManifests([{ path: 'a.yaml', text }], { ignoreKinds: new Set(ignore) })
}

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: x}]}\n'

t.test('an apiVersion of any length is rejected in linear time', (t) => {
  const text = pod.replace('v1', `${'x'.repeat(2_000_000)}/v1`)
  t.throws(() => parse(text), { message: /no matches for kind "Pod" in version "xxx/ })
  t.end()
})

t.test('files, documents, lists and JSON', (t) => {
  const list = `apiVersion: v1\nkind: List\nitems:\n${pod.replace(/^(?=.)/gm, '    ').replace('    a', '  - a')}`
  const json = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'json', namespace: 'lab', uid: 'x', managedFields: [] },
    spec: { containers: [{ name: 'a', image: 'x' }] },
    status: { phase: 'Failed' },
  })
  const { objects, notices } = parseManifests([
    { path: 'list.yaml', text: list },
    { path: 'pod.json', text: json },
  ])
  t.same(
    objects.map(({ file, object }) => [file, object.metadata]),
    [
      ['list.yaml', { name: 'web', namespace: 'default', generation: 1 }],
      ['pod.json', { name: 'json', namespace: 'lab', generation: 1 }],
    ],
  )
  t.notOk('status' in objects[1]!.object, 'the status of a pod is the cluster’s to write')
  t.same(objects[0]!.at(['spec', 'containers', 0, 'image']), { file: 'list.yaml', line: 7, column: 42 })
  t.same(notices, [])
  t.end()
})

t.test('files without objects, and documents that are not objects', (t) => {
  t.same(
    refusals(() => parse('')),
    ['a.yaml:1:1: no Kubernetes object in this file; it is empty, or holds comments only'],
  )
  t.match(
    refusals(() => parse('# nothing\n---\n')),
    [/no Kubernetes object/],
  )
  t.match(
    refusals(() => parse('hello')),
    [/^a.yaml:1:1: json: cannot unmarshal string into Go value of type map/],
  )
  t.match(
    refusals(() => parse('- a')),
    [/cannot unmarshal array/],
  )
  t.match(
    refusals(() => parse('kind: Pod')),
    [/^a.yaml:1:1: error validating "a.yaml": error validating data: apiVersion not set; if you choose/],
  )
  t.match(
    refusals(() => parse('apiVersion: v1')),
    [/error validating data: kind not set;/],
  )
  t.match(
    refusals(() => parse('metadata: {}')),
    [/error validating data: \[apiVersion not set, kind not set\];/],
  )
  t.match(
    refusals(() => parse("apiVersion: ''\nkind: Pod")),
    [/^a.yaml:1:13: Object 'apiVersion' is missing in '{"apiVersion":"","kind":"Pod"}'/],
  )
  t.match(
    refusals(() => parse('apiVersion: v1\nkind: List\nitems: [7]')),
    [/a.yaml:3:9: items\[0\] of a List is not an object/],
  )
  t.end()
})

t.test('kinds', (t) => {
  t.same(
    refusals(() => parse('apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: {name: x}')),
    [
      'a.yaml:2:7: TCPRoute (gateway.networking.k8s.io/v1) is not supported yet, and would change the network; `--ignore TCPRoute` skips it',
    ],
  )
  t.same(
    parse('apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: {name: x}', ['TCPRoute'])
      .notices,
    ['skipped on request: TCPRoute'],
  )
  t.same(
    refusals(() => parse('apiVersion: v1\nkind: Servce\nmetadata: {name: web, namespace: lab}')),
    [
      'a.yaml:2:7: resource mapping not found for name: "web" namespace: "lab" from "a.yaml": no matches for kind "Servce" in version "v1"; did you mean "Service"?',
    ],
  )
  t.match(
    refusals(() => parse('apiVersion: apps/v1beta1\nkind: Deployment')),
    [
      /^a.yaml:1:13: .*no matches for kind "Deployment" in version "apps\/v1beta1"; did you mean "apps\/v1"\?/,
    ],
  )
  t.match(
    refusals(() => parse('apiVersion: extensions/v1beta1\nkind: TCPRoute')),
    [/no matches for kind "TCPRoute".*; did you mean the API group "gateway\.networking\.k8s\.io"\?$/],
  )
  t.match(
    refusals(() => parse('apiVersion: cert-manager.io/v1\nkind: Certificate')),
    [/`--ignore Certificate` skips it/],
  )
  t.match(
    refusals(() => parse('apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute')),
    [/is not supported yet/],
  )
  t.end()
})

t.test('every problem of every file is reported, in order', (t) => {
  const text = `${pod}---\n${pod.replace('name: web', 'name: Web').replace('image: x', 'imag: x')}---\n${pod.replace('web', 'w_b')}`
  t.same(
    refusals(() =>
      parseManifests([
        { path: 'a.yaml', text },
        { path: 'b.yaml', text: 'a: [' },
      ]),
    ),
    [
      'a.yaml:9:31: Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imag"; did you mean "image"?',
      `a.yaml:13:18: The Pod "w_b" is invalid: metadata.name: Invalid value: "w_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      'b.yaml:1:5: error converting YAML to JSON: yaml: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  )
  t.end()
})

t.test('objects of one name', (t) => {
  t.same(
    refusals(() =>
      parseManifests([
        { path: 'a.yaml', text: pod },
        { path: 'b.yaml', text: pod },
      ]),
    ),
    ['b.yaml:3:18: pods "web" already exists; the first is at a.yaml:3:18'],
  )
  t.equal(parse(`${pod}---\n${pod.replace('name: web', 'name: web, namespace: other')}`).objects.length, 2)
  const space = (labels: string) =>
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { ${labels} } }\n`
  const { objects } = parse([space('a: first'), pod, space('a: last')].join('---\n'))
  t.same(
    objects.map(({ object: { kind, metadata } }) => [kind, metadata.labels?.['a']]),
    [
      ['Namespace', 'last'],
      ['Pod', undefined],
    ],
    'of a namespace, the last one counts',
  )
  t.end()
})

t.test('wrong types, as Go names them', (t) => {
  const table: [string, string][] = [
    ['containers: {}', 'object into Go struct field PodSpec.spec.containers of type []v1.Container'],
    ['containers: [x]', 'string into Go struct field PodSpec.spec.containers of type v1.Container'],
    ['hostNetwork: 1', 'number into Go struct field PodSpec.spec.hostNetwork of type bool'],
    ['nodeName: yes', 'bool into Go struct field PodSpec.spec.nodeName of type string'],
    ['priority: 1.5', 'number 1.5 into Go struct field PodSpec.spec.priority of type int32'],
    ['priority: 3000000000', 'number 3000000000 into Go struct field PodSpec.spec.priority of type int32'],
    ['nodeSelector: {a: 1}', 'number into Go struct field PodSpec.spec.nodeSelector of type string'],
    ['affinity: [1]', 'array into Go struct field PodSpec.spec.affinity of type v1.Affinity'],
    [
      'containers: [{name: a, image: x, env: [{name: A, value: on}]}]',
      'bool into Go struct field EnvVar.spec.containers.env.value of type string',
    ],
  ]
  for (const [spec, message] of table)
    t.match(
      refusals(() => parse(`apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  ${spec}\n`))[0],
      `Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${message}`,
    )
  t.match(
    refusals(() =>
      parse(
        'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80, targetPort: {}}]}',
      ),
    ),
    [/json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of type int32/],
  )
  t.end()
})

t.test('what Kubernetes reads as a boolean or a number is not text', (t) => {
  t.match(
    refusals(() => parse(pod.replace('name: web', 'name: y'))),
    [
      /^a.yaml:3:18: .* unmarshal bool into Go struct field ObjectMeta.metadata.name of type string; quotes make it text$/,
    ],
  )
  t.match(
    refusals(() => parse(pod.replace('image: x', 'image: 1.10'))),
    [/quotes make it text$/],
  )
  t.end()
})

t.test('generateName', (t) => {
  const generated = pod.replace('name: web', 'generateName: web-')
  const names = parse(`${generated}---\n${generated}`).objects.map(({ object }) => object.metadata.name)
  t.match(names, [/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/])
  t.not(names[0], names[1])
  t.match(
    refusals(() => parse(pod.replace('name: web', ''))),
    [/^a.yaml:3:1: The Pod "" is invalid: metadata.name: Required value: name or generateName is required$/],
  )
  t.end()
})

t.test('null is the same as absent', (t) => {
  const text =
    'apiVersion: v1\nkind: Service\nmetadata: {name: a, creationTimestamp: null, labels: }\nspec: {ports: [{port: 80, name: ~}], selector: }\nstatus: {loadBalancer: {}}\n'
  t.match(parse(text).objects[0]?.object, {
    spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
  })
  t.end()
})
