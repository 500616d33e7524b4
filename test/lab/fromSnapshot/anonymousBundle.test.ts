import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import fc from 'fast-check'
import { check } from '../../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../../src/inspect/attached.js'
import { anonymousAddresses } from '../../../src/lab/fromSnapshot/anonymousAddresses.js'
import { anonymousBundle } from '../../../src/lab/fromSnapshot/anonymousBundle.js'
import { attachedSnapshot } from '../../../src/snapshot/attached/attachedState.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'
import type { Snapshot } from '../../../src/snapshot/model/snapshot.js'

const folder = 'test/golden/bundles'

/** Bundles whose objects are tables of kubectl, which are left out. */
const ofTables = new Set(['k3s-bridge-nf', 'paste-selector'])

/** What check says, up to names and addresses. */
function answers(snapshot: Snapshot, renamed: ReadonlyMap<string, string> = new Map()) {
  const own = (name: string | undefined) => (name === undefined ? undefined : (renamed.get(name) ?? name))
  const { findings, asked, passed, unknown } = check(snapshot)
  return {
    ...{ asked, passed, unknown: unknown.length },
    findings: findings
      .map(({ code, note, node, object, affects, fixes }) =>
        JSON.stringify([
          code,
          note,
          own(node),
          object?.kind,
          own(object?.name),
          object?.field,
          affects.length,
          fixes.length,
        ]),
      )
      .sort(),
  }
}

for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory()))
  t.test(`without its names, ${name} has the same answers`, { skip: ofTables.has(name) }, async (t) => {
    const { snapshot, bundle } = await readAttachedSnapshot(join(folder, name, 'bundle'))
    if (bundle === undefined) throw new Error('no bundle')
    let changed = false
    for (const key of ['a', 'b', 'c']) {
      const { files, renamed } = anonymousBundle(bundle, snapshot.model, key)
      const texts = files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))
      const other = attachedSnapshot(readBundle('anonymous', texts))
      t.strictSame(answers(other), answers(snapshot, renamed))
      const all = files.map(({ path, text }) => `${path}\n${text}`).join('\n')
      const secret = [...renamed].flatMap(([old, own]) => (old !== own && old.length > 5 ? [old] : []))
      const pods = snapshot.model.topology.pods
        .map((pod) => pod.name)
        .filter((one) => renamed.get(one) !== one)
      for (const word of [...pods, ...snapshot.model.topology.nodes.map((node) => node.name)])
        t.notOk(all.includes(word), `${word} is not in the files`)
      t.ok(secret.length > 0)
      const addresses = snapshot.model.cluster.services.flatMap(({ spec }) => spec.clusterIPs ?? [])
      const others = new Set(other.model.cluster.services.flatMap(({ spec }) => spec.clusterIPs ?? []))
      const kept = addresses.filter((address) => address !== 'None' && others.has(address))
      const isChanged = kept.length < addresses.length || addresses.length === 0
      changed = changed || isChanged
    }
    t.ok(changed, 'addresses of Services are others')
  })

t.test('two addresses share as many bits as before', async (t) => {
  const ranges = [{ family: 'IPv4' as const, first: 0x0a600000n, prefixLength: 12 }]
  const { of } = anonymousAddresses('key', ranges)
  const number = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const shared = (a: string, b: string) => Math.clz32((number(a) ^ number(b)) >>> 0)
  const address = fc
    .tuple(fc.constantFrom(10, 172, 192, 8, 100), fc.nat(255), fc.nat(255), fc.nat(255))
    .map((parts) => parts.join('.'))
  fc.assert(
    fc.property(address, address, (a, b) => shared(a, b) < 8 || shared(of(a), of(b)) === shared(a, b)),
  )
  // beside a range for private use
  t.equal(shared(of('172.6.243.89'), of('172.19.51.0')), 11)
  t.match(of('10.96.0.0/12'), /^10\.\d+\.0\.0\/12$/)
  t.equal(of('127.0.0.1'), '127.0.0.1')
})
