import t from 'tap'
import { InputError } from '../../../src/errors.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'

const policy = (spec: string, kind = 'ClusterNetworkPolicy', version = 'v1alpha2') =>
  `apiVersion: policy.networking.k8s.io/${version}\nkind: ${kind}\nmetadata: { name: one }\nspec:\n  ${spec}\n`
const parse = (text: string) => parseManifests([{ path: 'a.yaml', text }])
const problemsOf = (text: string) => {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n')
    throw error
  }
  return []
}
const subject = 'subject: { namespaces: {} }'

t.test('the rules of the CRD, with positions', (t) => {
  const from = 'from: [{ namespaces: {} }]'
  const cases: readonly (readonly [spec: string, message: RegExp])[] = [
    [`{ priority: 0, ${subject} }`, /spec\.tier: Required value/],
    [
      `{ tier: Admn, priority: 0, ${subject} }`,
      /spec\.tier: Unsupported value: "Admn": supported values: "Admin", "Baseline"; did you mean "Admin"/,
    ],
    [`{ tier: Admin, ${subject} }`, /spec\.priority: Required value/],
    [
      `{ tier: Admin, priority: 1001, ${subject} }`,
      /Invalid value: 1001: spec\.priority in body should be less than or equal to 1000/,
    ],
    ['{ tier: Admin, priority: 1, subject: {} }', /spec\.subject in body should have at least 1 properties/],
    [
      `{ tier: Admin, priority: 1, subject: { namespaces: {}, pods: { podSelector: {}, namespaceSelector: {} } } }`,
      /spec\.subject: Too many: 2: must have at most 1 items/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, ingress: [{ action: Allow, ${from} }] }`,
      /a\.yaml:5:80: .*spec\.ingress\[0\]\.action: Unsupported value: "Allow"/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, ingress: [{ action: Deny }] }`,
      /spec\.ingress\[0\]\.from: Required value/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, ingress: [{ action: Deny, from: [] }] }`,
      /spec\.ingress\[0\]\.from in body should have at least 1 items/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, ingress: [{ action: Deny, ${from}, protocols: [{ tcp: { destinationPort: { range: { start: 9, end: 9 } } } }] }] }`,
      /Start port must be less than End port/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, egress: [{ action: Deny, to: [{ networks: [10.0.0.0] }] }] }`,
      /spec\.egress\[0\]\.to\[0\]\.networks\[0\]: Invalid value: "10\.0\.0\.0": Invalid CIDR format provided/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, egress: [{ action: Deny, to: [{ networks: [10.0.0.0/8] }], protocols: [{ destinationNamedPort: web }] }] }`,
      /networks\/nodes\/domainNames peer cannot be set with namedPorts/,
    ],
    [
      `{ tier: Admin, priority: 1, ${subject}, egress: [{ action: Accept, to: [{ domainNames: [kubernetes.io] }] }] }`,
      /peers by domain name are not supported/,
    ],
  ]
  for (const [spec, message] of cases) t.match(problemsOf(policy(spec)), [message], spec)
  const [object] = parse(policy(`{ tier: Admin, priority: 0, ${subject} }`, undefined, 'v1beta1')).objects
  t.match(object?.object, {
    apiVersion: 'policy.networking.k8s.io/v1alpha2',
    spec: { tier: 'Admin', priority: 0 },
  })
  t.notHas(object?.object.metadata, { namespace: 'default' })
  t.end()
})

t.test('the kinds before it are read as what they became', (t) => {
  const rules = `ingress: [{ name: web, action: Allow, from: [{ namespaces: {} }], ports: [{ portNumber: { port: 80 } }, { portRange: { protocol: UDP, start: 1, end: 2 } }, { namedPort: web }] }]`
  const { objects, notices } = parse(
    `${policy(`{ priority: 5, ${subject}, ${rules} }`, 'AdminNetworkPolicy', 'v1alpha1')}---\n${policy(`{ ${subject}, egress: [{ action: Deny, to: [{ networks: [0.0.0.0/0] }] }] }`, 'BaselineAdminNetworkPolicy', 'v1alpha1').replace('one', 'default')}`,
  )
  t.same(notices, [
    'AdminNetworkPolicy one is read as a ClusterNetworkPolicy of tier Admin (policy.networking.k8s.io/v1alpha2), which replaced it',
    'BaselineAdminNetworkPolicy default is read as a ClusterNetworkPolicy of tier Baseline (policy.networking.k8s.io/v1alpha2), which replaced it',
  ])
  t.match(
    objects.map(({ object }) => object),
    [
      {
        kind: 'ClusterNetworkPolicy',
        spec: {
          ...{ tier: 'Admin', priority: 5 },
          ingress: [
            {
              ...{ name: 'web', action: 'Accept', from: [{ namespaces: {} }] },
              protocols: [
                { tcp: { destinationPort: { number: 80 } } },
                { udp: { destinationPort: { range: { start: 1, end: 2 } } } },
                { destinationNamedPort: 'web' },
              ],
            },
          ],
        },
      },
      {
        metadata: { name: 'default' },
        spec: { tier: 'Baseline', priority: 0, egress: [{ action: 'Deny' }] },
      },
    ],
  )
  t.match(
    problemsOf(policy(`{ priority: 5, ${subject}, ingres: [] }`, 'AdminNetworkPolicy', 'v1alpha1')),
    [/a\.yaml:5:47: .*unknown field "spec\.ingres"/],
    'an unknown field at its position',
  )
  t.match(
    problemsOf(
      policy(
        `{ priority: 5, ${subject}, egress: [{ action: Deny, to: [{ namespaces: {} }], ports: [{ portNumber: { port: 0 } }] }] }`,
        'AdminNetworkPolicy',
        'v1alpha1',
      ),
    ),
    [/a\.yaml:5:106: .*destinationPort\.number in body should be greater than or equal to 1/],
  )
  t.end()
})
