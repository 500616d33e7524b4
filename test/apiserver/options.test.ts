import t from 'tap'
import { deployment, service } from '../cluster/lab.js'
import { ask } from './client.js'
import { writableLab } from './writableLab.js'

const services = '/api/v1/namespaces/default/services'
const web = `${services}/web`
const merge = 'application/merge-patch+json'
const apply = 'application/apply-patch+yaml'

void t.test('invalid options of lists and watches, in the order of the API server', async (t) => {
  const lab = await writableLab(t, service('web'))
  const match = 'resourceVersionMatch'
  const wrong: Readonly<Record<string, string>> = {
    'resourceVersionMatch=exact&continue=a&sendInitialEvents=true': `[${match}: Forbidden: ${match} is forbidden unless resourceVersion is provided, ${match}: Forbidden: ${match} is forbidden when continue is provided, ${match}: Unsupported value: "exact": supported values: "Exact", "NotOlderThan", "", sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]`,
    'resourceVersionMatch=Exact&resourceVersion=0': `${match}: Forbidden: ${match} "exact" is forbidden for resourceVersion "0"`,
    'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&continue=a': `[${match}: Forbidden: sendInitialEvents requires setting ${match} to NotOlderThan, ${match}: Unsupported value: "Exact": supported values: "NotOlderThan", ${match}: Forbidden: ${match} is forbidden when continue is provided]`,
    'watch=true&resourceVersionMatch=Exact': `[${match}: Forbidden: ${match} is forbidden for watch unless sendInitialEvents is provided, ${match}: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
    'watch=true&continue=a': `${match}: Forbidden: ${match} is forbidden when continue is provided`,
  }
  for (const [query, message] of Object.entries(wrong)) {
    const { json } = await ask(lab.server, `${services}?${query}`)
    t.match(json, { code: 422, message: `ListOptions.meta.k8s.io "" is invalid: ${message}` }, query)
  }
})

void t.test('invalid options of creates, updates and patches', async (t) => {
  const lab = await writableLab(t, service('web'))
  const before = lab.store.resourceVersion
  const long = 'x'.repeat(129)
  const all = [
    'fieldManager: Too long: may not be more than 128 bytes',
    'dryRun: Unsupported value: ["All","Some"]: supported values: "All"',
    'fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
  ]
  const query = `fieldManager=${long}&dryRun=All&dryRun=Some&fieldValidation=Maybe`
  const patched = (written: string, contentType: string) =>
    lab.send('PATCH', `${web}?${written}`, {}, contentType)
  const noManager = 'fieldManager: Required value: is required for apply patch'
  const answers = [
    [await lab.send('POST', `${services}?${query}`, {}), `CreateOptions`, `[${all.join(', ')}]`],
    [await lab.send('PUT', `${web}?${query}`, {}), 'UpdateOptions', `[${all.join(', ')}]`],
    [await patched('', apply), 'PatchOptions', noManager],
    [
      await patched('fieldManager=&dryRun=', apply),
      'PatchOptions',
      `[${noManager}, dryRun: Unsupported value: [""]: supported values: "All"]`,
    ],
    [
      await patched('force=false', merge),
      'PatchOptions',
      'force: Forbidden: may not be specified for non-apply patch',
    ],
    [
      await patched(`fieldManager=${encodeURIComponent('é\x07"\u200b')}`, merge),
      'PatchOptions',
      '[fieldManager: Invalid value: "é\\a\\"\\u200b": invalid character U+0007 (at position 2), fieldManager: Invalid value: "é\\a\\"\\u200b": invalid character U+200B (at position 4)]',
    ],
  ] as const
  for (const [{ json }, kind, message] of answers)
    t.match(json, { code: 422, message: `${kind}.meta.k8s.io "" is invalid: ${message}` }, message)
  t.equal(lab.store.resourceVersion, before)
})

void t.test('the program of a User-Agent is the manager', async (t) => {
  const lab = await writableLab(t, service('web'))
  const managers = async (userAgent: string) => {
    const { json } = await ask(lab.server, `${web}?dryRun=All`, {
      method: 'PATCH',
      headers: { 'Content-Type': merge, 'User-Agent': userAgent },
      body: JSON.stringify({ metadata: { labels: { a: 'b' } } }),
    })
    return (json as { metadata: { managedFields: { manager: string }[] } }).metadata.managedFields
  }
  t.match(await managers('kube\tctl/v1.36.2 (linux/amd64)'), [{ manager: 'kubectl' }])
  t.match(await managers(`${'x'.repeat(200)}/1`), [{ manager: 'x'.repeat(128) }])
})

void t.test('invalid options of deletions', async (t) => {
  const lab = await writableLab(t, service('web'))
  const supported = 'supported values: "Foreground", "Background", "Orphan", "nil"'
  const both = 'orphanDependents and deletionPropagation cannot be both set'
  const never = { propagationPolicy: 'Never', orphanDependents: false, dryRun: ['Some'] }
  const message = `DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "Never": ${both}, propagationPolicy: Unsupported value: "Never": ${supported}, dryRun: Unsupported value: ["Some"]: supported values: "All"]`
  const query = 'propagationPolicy=Never&orphanDependents=false&dryRun=Some'
  t.match((await lab.send('DELETE', web, never)).json, { code: 422, message })
  t.match((await lab.send('DELETE', `${web}?${query}`)).json, { code: 422, message })
  t.match((await lab.send('DELETE', services, never)).json, { code: 422, message })
  t.equal(lab.cluster().services.length, 1)
  t.equal((await lab.send('DELETE', `${web}?${query}`, {})).code, 200, 'a body replaces the query')
})

void t.test('a body asks for a dry run of a deletion', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const before = lab.store.resourceVersion
  const [pod] = lab.cluster().pods
  const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}`
  const deleteOptions = { dryRun: ['All'] }
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: pod?.metadata.name },
    deleteOptions,
  }
  t.equal((await lab.send('DELETE', web, deleteOptions)).code, 200)
  t.equal((await lab.send('DELETE', services, deleteOptions)).code, 200)
  t.match((await lab.send('DELETE', path, deleteOptions)).json, { metadata: { deletionTimestamp: /./ } })
  t.equal((await lab.send('POST', `${path}/eviction`, eviction)).code, 201)
  t.equal(lab.store.resourceVersion, before)
})

void t.test('orphanDependents leaves the dependents behind', async (t) => {
  const lab = await writableLab(t, deployment('web', 1))
  await lab.send('DELETE', '/apis/apps/v1/namespaces/default/deployments/web', { orphanDependents: true })
  t.match(lab.cluster().replicaSets, [{ metadata: { ownerReferences: undefined } }])
})
