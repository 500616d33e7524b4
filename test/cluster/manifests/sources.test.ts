import t from 'tap'
import { parseManifests, type ReadOptions } from '../../../src/cluster/manifests/manifests.js'
import { refusals } from '../lab.js'

const parse = (text: string, options: ReadOptions = {}, path = 'a.yaml') =>
  parseManifests([{ path, text }], options)

const widget = 'apiVersion: shop.example/v1\nkind: Widget\nmetadata: { name: one }\n---\n'
const definition =
  'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.shop.example }\nspec: { group: shop.example, names: { kind: Widget } }\n---\n'

t.test('custom resources are a notice with their definition, before or after them', (t) => {
  const notices = ['skipped, no effect on the network: CustomResourceDefinition, Widget (custom resource)']
  t.same(parse(widget + definition).notices, notices)
  t.same(parse(definition + widget).notices, notices)
  t.match(
    refusals(() => parse(widget)),
    [/no matches for kind "Widget".*`--ignore Widget` skips it/],
  )
  t.end()
})

t.test('a kind can be ignored in one group', (t) => {
  const gateway = 'apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: { name: one }\n'
  t.match(
    refusals(() => parse(gateway)),
    [/`--ignore Gateway\.networking\.istio\.io` skips it/],
  )
  const ignoreKinds = new Set(['Gateway.networking.istio.io'])
  t.same(parse(gateway, { ignoreKinds }).notices, ['skipped on request: Gateway'])
  t.end()
})

t.test('templates are rejected with the command that renders them', (t) => {
  const helm =
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}\n{{- if .Values.ports }}\n{{- end }}\n'
  t.same(
    refusals(() => parse(helm)),
    [
      'a.yaml:4:9: this file is a template of Helm, not a manifest; render it first: `helm template <chart> > manifests.yaml`',
    ],
  )
  const config =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { rule: "{{ if .Values.x }}" }\n'
  t.equal(parse(config).objects.length, 1, 'text in a valid manifest')
  const hint =
    'input of kustomize, not a manifest; render it first: `kubectl kustomize <folder> > manifests.yaml`'
  for (const [text, path] of [
    ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n', 'a.yaml'],
    ['resources: [a.yaml]\n', 'shop/kustomization.yaml'],
  ] as const)
    t.match(
      refusals(() => parse(text, {}, path)),
      [hint],
    )
  for (const [text, path, problem] of [
    [
      'apiVersion: skaffold/v3\nkind: Config\nmetadata: { name: app }\n',
      'skaffold.yaml',
      'input of Skaffold, not a manifest; render it first: `skaffold render > manifests.yaml`',
    ],
    [
      'apiVersion: v2\nname: shop\nversion: 0.1.0\n',
      'shop/Chart.yaml',
      'describes a chart of Helm, not a manifest; render it first: `helm template <chart> > manifests.yaml`',
    ],
  ] as const)
    t.match(
      refusals(() => parse(text, {}, path)),
      [problem],
    )
  t.end()
})

t.test('parts that kustomize or another program completes', async (t) => {
  const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\n$patch: delete\n'
  t.same(
    refusals(() => parse(patch)),
    [
      'a.yaml:4:1: this object is a patch of kustomize, not a manifest; render it first: `kubectl kustomize <folder> > manifests.yaml`',
    ],
  )
  const base =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  template:\n    spec: { containers: [{ name: a, image: x }] }\n'
  t.match(
    refusals(() => parse(base)),
    [/spec\.selector: Required value; kustomize can add selectors and labels.*`kubectl kustomize/, /labels/],
  )
  const labelled = base.replace('    spec:', '    metadata: { labels: { app: web } }\n    spec:')
  t.match(
    refusals(() => parse(labelled)),
    [/spec\.selector: Required value$/, /labels/],
  )
  const placeholders =
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-{{cell}}\n  labels: { cell: {{cell}} }\n'
  t.same(
    refusals(() => parse(placeholders)),
    [
      'a.yaml:5:19: this file is a template with placeholders such as {{cell}}, not a manifest; replace them first, with the program for which the template was written',
    ],
  )
  t.match(
    refusals(() => parse('apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{.Name}}\n')),
    [/template with placeholders such as \{\{\.Name\}\}, not a manifest/],
  )
  const ingress = (host: string) =>
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\nspec:\n  rules:\n    - host: ${host}\n`
  t.same(
    refusals(() => parse(ingress('web.__INGRESS_DOMAIN__'))),
    [
      'a.yaml:6:17: this file is a template with placeholders such as __INGRESS_DOMAIN__, not a manifest; replace them first, with the program for which the template was written',
    ],
  )
  t.same(
    refusals(() => parse(ingress('${HOST}'))),
    [
      'a.yaml:6:13: this file is a template with placeholders such as ${HOST}, not a manifest; replace them first: `envsubst < a.yaml > manifests.yaml` puts environment variables in their place',
    ],
  )
  const script =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { run: "echo ${HOST} __FILE__" }\n'
  t.doesNotThrow(() => parse(script), 'text of a valid object')
  const rule = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: A }\ndata: { rule: "{{ value }}" }\n'
  t.match(
    refusals(() => parse(rule)),
    [/metadata\.name: Invalid value: "A"/],
    'a problem elsewhere',
  )
  const policy = 'apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: { name: web }\n'
  t.match(
    refusals(() => parse(policy)),
    [/would change the network; `--ignore TCPRoute` skips it$/],
  )
})

t.test('objects without a namespace get the requested one', (t) => {
  const text =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: c }\n'
  const { objects } = parse(text, { namespace: 'shop' })
  t.same(
    objects.map(({ object }) => object.metadata.namespace),
    ['shop', 'c'],
  )
  t.end()
})
