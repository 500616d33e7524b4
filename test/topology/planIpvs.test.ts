import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { layOut } from '../../src/topology/layOut.js'
import { planIpvs } from '../../src/topology/planIpvs.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, service } from '../cluster/lab.js'

const families: IpFamily[] = ['IPv4', 'IPv6']
const { nodes } = layOut(cluster(service('web'), { families }), [], defaultRanges, families)
const text = (node: string, family: IpFamily) => ({
  addresses: [family === 'IPv4' ? '10.96.0.1/32' : 'fd00::1/128'],
  sets: [`create ${node}-${family} hash:ip`],
  servers: [`-A -t ${family}`],
})

t.test('both families of a node are in one file for each tool', async (t) => {
  const { files } = planIpvs(nodes, families, 'kube-ipvs0', text)
  const of = (what: string) => files.find(({ path }) => path.endsWith(`${what}/node-a`))?.text
  t.match(
    of('addresses'),
    /^link add name kube-ipvs0 index \d+ type dummy\naddress add 10\.96\.0\.1\/32 dev kube-ipvs0\naddress add fd00::1\/128 /,
  )
  t.equal(of('sets'), 'create node-a-IPv4 hash:ip\ncreate node-a-IPv6 hash:ip\n')
  t.equal(of('servers'), '-A -t IPv4\n-A -t IPv6\n')
})

/** Runs the command that adds servers, with tools that print their arguments. */
function serve(t: Test, ipvsadmSays: string, ipExits = 0) {
  const folder = t.testdir({ servers: '-A -t 10.96.0.1:80 -s rr\n' })
  const tool = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  tool('ip', `echo ip "$@"; exit ${ipExits}`)
  tool('ipvsadm', `printf '%s' '${ipvsadmSays}'`)
  const [{ argv } = { argv: [] }] = planIpvs(nodes, families, 'kube-ipvs0', text).commands
  // without nsenter, and with test files instead of those of a node
  const [program = '', ...rest] = argv.slice(2, -2)
  return spawnSync(program, [...rest, 'addresses', join(folder, 'servers')], {
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  })
}

t.test('servers come after the addresses, and output of ipvsadm is an error', async (t) => {
  const served = serve(t, '')
  t.equal(served.status, 0, served.stderr)
  t.equal(served.stdout, 'ip -batch addresses\n')
  const refused = serve(t, 'Invalid operation.')
  t.equal(refused.status, 1)
  t.equal(refused.stderr, 'Invalid operation.\n')
  t.equal(serve(t, '', 3).status, 3, 'without addresses there is nothing to serve')
})
