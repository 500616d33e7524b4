import t from 'tap'
import { dnsFiles } from '../../../src/lab/dns/dnsLaunch.js'
import { dnsProgram } from '../../../src/lab/dns/dnsPrograms.js'

const none = { namespaces: [], pods: [], services: [], endpointSlices: [] }

t.test('CoreDNS goes before BIND where a machine has both', async (t) => {
  const both = t.testdir({ named: '', coredns: '' })
  const { tool, command, install } = dnsProgram(both)
  t.equal(tool, 'coredns')
  t.same(command, ['coredns', '-conf', '/run/vethlab/dns/Corefile'])
  t.same(install, [])
})

t.test('named runs under a path that no profile of the machine confines', async (t) => {
  const folder = t.testdir({ named: '' })
  t.same(dnsProgram(folder).install, [
    { argv: ['install', '-D', '-m', '755', `${folder}/named`, '/run/vethlab/bin/named'] },
  ])
})

for (const [tool, file] of [
  ['coredns', 'Corefile'],
  ['named', 'named.conf'],
] as const)
  t.test(`${tool} is told of each zone file`, async (t) => {
    const program = dnsProgram(t.testdir({ [tool]: '' }))
    const around = { clusterDns: ['10.96.0.10'], outside: [] }
    const { files, origins } = dnsFiles(none, { families: ['IPv4', 'IPv6'], around, program }, 3)
    t.equal(origins.length, 5)
    const [configuration, ...zones] = files
    t.equal(configuration?.path, `/run/vethlab/dns/${file}`)
    t.equal(zones.length, 5)
    for (const { path, text } of zones) {
      t.match(configuration?.text, path.replace('/run/vethlab/dns/', ''))
      t.match(text, / hostmaster\.cluster\.local\. 3 /)
    }
  })
