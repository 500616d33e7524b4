import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'

function load(t: Test, topology: string) {
  const cwd = t.testdir({ labs: { x: {} } })
  writeFileSync(join(cwd, 'labs/x/lab.yaml'), `topology:\n  ${topology}\n`)
  return loadLab('x', { cwd, packageRoot: cwd })
}

function refusal(t: Test, topology: string): string {
  try {
    load(t, topology)
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll('labs/x/lab.yaml:', '')
    throw error
  }
  return 'it loaded'
}

t.test('clients with addresses and ports of their own', async (t) => {
  const { clients } = load(
    t,
    'clients: [client, { name: old, addresses: [10.4.5.6, 10.4.5.7], serves: [80, 9376] }]',
  )
  t.strictSame(clients, [
    { name: 'client' },
    { name: 'old', addresses: ['10.4.5.6', '10.4.5.7'], serves: [80, 9376] },
  ])
})

t.test('addresses that no client can have', async (t) => {
  const one = (address: string, families = 'IPv4, IPv6') =>
    refusal(t, `{ families: [${families}], clients: [{ name: old, addresses: ['${address}'] }] }`)
  t.match(one('10.4.5'), /^2:\d+: "10\.4\.5" is not an IP address/)
  t.match(one('::ffff:10.4.5.6'), /is not an IP address/)
  t.match(one('fd00::1', 'IPv4'), /the lab has no IPv6, so no client can have fd00::1/)
  t.match(one('172.18.9.9'), /172\.18\.9\.9 is an address of the fabric 172\.18\.0\.0\/16/)
  t.match(one('10.244.7.1'), /is an address of the pod network 10\.244\.0\.0\/16/)
  t.match(one('fd00:10:96::5'), /is an address of the Service range/)
  t.match(one('192.0.2.1'), /is an address of the load balancer pool/)
  for (const address of ['0.0.0.1', '127.0.0.2', '224.0.0.1', '255.255.255.255', '::1', 'fe80::1', 'ff02::1'])
    t.match(one(address), /is not an address that a host can have/, address)
  t.equal(one('2606::1'), 'it loaded')
})

t.test('an address belongs to one client, however it is written', async (t) => {
  const message = refusal(
    t,
    "{ families: [IPv6], clients: [{ name: a, addresses: ['fd01::1'] }, { name: b, addresses: ['fd01:0::1'] }] }",
  )
  t.match(message, /two clients have the address fd01:0::1/)
})

t.test('ports are ports', async (t) => {
  t.match(refusal(t, 'clients: [{ name: a, serves: [0, http] }]'), /serves/)
})
