import t from 'tap'
import { InputError } from '../../../src/errors.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'

/** What is wrong with a manifest, without the name of the object. */
function faults(text: string): string[] {
  try {
    parseManifests([{ path: 'a.yaml', text }])
    return []
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.problems.map(({ message }) => message.replace(/^The \w+ "[^"]*" is invalid: /, ''))
  }
}

const configMap = (metadata: string) => `{ apiVersion: v1, kind: ConfigMap, metadata: { ${metadata} } }`

const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

t.test('requirements of a label selector: operator, key, values', (t) => {
  const budget = (expression: string) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1, selector: { matchExpressions: [{ ${expression} }] } }
`
  const at = 'spec.selector.matchExpressions[0]'
  const emptyKey = [
    `${at}.key: Invalid value: "": name part must be non-empty`,
    `${at}.key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ]
  t.same(faults(budget('key: app, operator: In, values: [web, "", -a, "b c"]')), [
    `${at}.values[2]: Invalid value: "-a": ${labelValue}`,
    `${at}.values[3]: Invalid value: "b c": ${labelValue}`,
  ])
  t.same(faults(budget('key: "", operator: NotIn')), [
    `${at}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
    ...emptyKey,
  ])
  t.same(faults(budget('key: "", operator: Exists, values: [-a]')), [
    `${at}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ...emptyKey,
    `${at}.values[0]: Invalid value: "-a": ${labelValue}`,
  ])
  t.same(faults(budget('key: "", operator: Gt')), [
    `${at}.operator: Invalid value: "Gt": not a valid selector operator`,
    ...emptyKey,
  ])
  t.end()
})

t.test('the prefix of a generated name', (t) => {
  for (const prefix of ['web-', 'web', 'w.', '-']) {
    const [first, ...others] = faults(configMap(`generateName: "${prefix}", name: web`))
    if (prefix.startsWith('web')) t.equal(first, undefined, prefix)
    else {
      t.equal(first, `metadata.generateName: Invalid value: "${prefix}": ${subdomain}`)
      t.same(others, [])
    }
  }
  const [prefix, name] = faults(configMap('generateName: Web-'))
  t.equal(prefix, `metadata.generateName: Invalid value: "Web-": ${subdomain}`)
  t.match(name, /^metadata\.name: Invalid value: "Web-\w{5}": a lowercase RFC 1123 subdomain/)
  t.end()
})

t.test('owners', (t) => {
  const owners = (...list: readonly string[]) =>
    faults(configMap(`name: web, ownerReferences: [${list.join(', ')}]`))
  const owner = (apiVersion: string, kind: string, more = '') =>
    `{ apiVersion: ${apiVersion}, kind: ${kind}, name: a, uid: b${more} }`
  t.same(owners(owner('events.k8s.io/v1', 'Event'), owner('v1', 'Pod')), [])
  t.same(owners(owner('v1', 'Event', ', controller: true'), owner('a/b/c', '""', ', controller: true')), [
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"b","controller":true}: /v1, Kind=Event is disallowed from being an owner',
    'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Event","name":"a","uid":"b","controller":true},{"apiVersion":"a/b/c","kind":"","name":"a","uid":"b","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Event/a and /a',
  ])
  t.same(owners(owner('apps/', 'ReplicaSet')), [
    'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
  ])
  t.end()
})
