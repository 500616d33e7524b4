import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { check } from '../../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../../src/inspect/attached.js'
import { pasteScript } from '../../../src/snapshot/attached/collect/script.js'
import { troubleshootSpec } from '../../../src/snapshot/attached/collect/troubleshoot.js'

/** A bundle of Troubleshoot whose host collectors ran on one node. */
const recorded = 'test/golden/bundles/troubleshoot-etp-local/bundle/support-bundle-2026-11-28T01_14_10'

t.test('the bundle that the spec makes answers as one of host collectors', async (t) => {
  const host = resolve(recorded, 'host-collectors/run-host')
  const dir = t.testdir({ bin: {}, bundle: { vethlab: {} } })
  const tool = (name: string, body: string) => {
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(dir, 'bin', name), 0o755)
  }
  // the node has the tools of the recorded one, and what they printed there
  tool('hostname', 'echo app-1')
  tool('nft', '[ "$1 $2" = "list tables" ] && echo table ip nat')
  tool('iptables-save', `cat ${join(host, 'iptables-save.txt')}`)
  tool(
    'ip',
    `case "$*" in *addr) cat ${join(host, 'ip-addr.txt')};; "-4 route"*) cat ${join(host, 'ip-route.txt')};; esac`,
  )
  // in place of the files below /proc
  tool('grep', `case "$*" in "-s ."*) cat ${join(host, 'sysctl.txt')};; esac`)
  for (const name of ['ip6tables-save', 'ipset', 'ss', 'uname', 'bridge', 'conntrack', 'ipvsadm'])
    tool(name, 'exit 1')
  for (const name of [
    'iptables-nft-save',
    'ip6tables-nft-save',
    'iptables-legacy-save',
    'ip6tables-legacy-save',
  ])
    tool(name, 'exit 1')
  const env = { PATH: `${join(dir, 'bin')}:/usr/bin:/bin` }
  const { stdout, status } = spawnSync('sh', ['-s'], { input: pasteScript(), encoding: 'utf8', env })
  t.equal(status, 0)
  const bundle = join(dir, 'bundle')
  cpSync(join(recorded, 'cluster-resources'), join(bundle, 'cluster-resources'), { recursive: true })
  mkdirSync(join(bundle, 'vethlab'), { recursive: true })
  writeFileSync(join(bundle, 'vethlab/app-1.log'), stdout)
  const found = async (path: string) => {
    const { snapshot, bundle: read } = await readAttachedSnapshot(path)
    const { findings, asked, passed } = check(snapshot)
    return {
      nodes: read?.nodes.map(({ name }) => name),
      asked,
      passed,
      says: findings.map(({ says }) => says),
    }
  }
  const own = await found(bundle)
  t.strictSame(own, await found(recorded))
  t.match(own.says.join(), /externalTrafficPolicy/)
})

t.test('the spec runs the script once on each node, and prints its output at each start', async (t) => {
  t.match(troubleshootSpec('busybox:1.36'), {
    apiVersion: 'troubleshoot.sh/v1beta2',
    kind: 'SupportBundle',
    spec: {
      collectors: [
        { clusterResources: {} },
        {
          runDaemonSet: {
            name: 'vethlab',
            podSpec: {
              hostNetwork: true,
              initContainers: [{ image: 'busybox:1.36', env: [{ name: 'SCRIPT', value: pasteScript() }] }],
              containers: [{ command: ['cat', '/output/log'] }],
            },
          },
        },
      ],
    },
  })
  t.notMatch(pasteScript(), /\$\$|\$\([A-Z_]+\)/, 'nothing that Kubernetes replaces in env')
})
