import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { defaultRanges } from '../../../src/net/addressRanges.js'
import { dnsFiles } from '../../../src/lab/dns/dnsLaunch.js'
import { dnsProgram } from '../../../src/lab/dns/dnsPrograms.js'

/** A folder of programs, as PATH names such. */
function programs(t: Test, ...names: readonly string[]): string {
  const folder = t.testdir(Object.fromEntries(names.map((name) => [name, ''])))
  for (const name of names) chmodSync(join(folder, name), 0o755)
  return folder
}

const none = { namespaces: [], pods: [], services: [], endpointSlices: [] }

t.test('CoreDNS goes before BIND where a machine has both', async (t) => {
  const { tool, command, install } = dnsProgram(programs(t, 'named', 'coredns'))
  t.equal(tool, 'coredns')
  t.same(command, ['coredns', '-conf', '/run/vethlab/dns/Corefile'])
  t.same(install, [])
})

t.test('named runs under a path that no profile of the machine confines', async (t) => {
  const folder = programs(t, 'named')
  t.same(dnsProgram(folder).install, [
    { argv: ['install', '-D', '-m', '755', `${folder}/named`, '/run/vethlab/bin/named'] },
  ])
})

for (const [tool, file] of [
  ['coredns', 'Corefile'],
  ['named', 'named.conf'],
] as const)
  t.test(`${tool} reads each zone file`, async (t) => {
    const program = dnsProgram(programs(t, tool))
    const around = { clusterDns: ['10.96.0.10'], outside: [] }
    const { files, origins } = dnsFiles(
      none,
      { ranges: defaultRanges, families: ['IPv4', 'IPv6'], around, program },
      3,
    )
    t.equal(origins.length, 5)
    const [configuration, ...zones] = files
    t.equal(configuration?.path, `/run/vethlab/dns/${file}`)
    t.equal(zones.length, 5)
    for (const { path, text } of zones) {
      t.match(configuration?.text, path.replace('/run/vethlab/dns/', ''))
      t.match(text, / hostmaster\.cluster\.local\. 3 /)
    }
  })
