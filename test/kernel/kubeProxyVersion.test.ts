import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'
import { vethlab } from './servedCommands.js'

const labelled = `apiVersion: v1
kind: Service
metadata: { name: labelled, labels: { service.kubernetes.io/headless: '' } }
spec: { clusterIP: 10.96.1.9, selector: { app: my-app }, ports: [{ port: 80 }] }
`

t.test('steps run with the versions that they are about', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(join(lab, 'manifests', 'labelled.yaml'), labelled)
  writeFileSync(
    join(lab, 'lab.yaml'),
    `steps:
  - name: Recent versions write rules for the labelled Service
    versions: { from: '1.36' }
    from: node-a
    command: [sh, -c, 'iptables-save | grep -q 10.96.1.9']
  - name: Older ones do not watch it
    versions: { to: '1.30' }
    from: node-a
    command: [sh, -c, 'iptables-save | grep -q 10.96.1.9']
    expect: { exitCode: 1 }
`,
  )
  for (const [like, expected] of [
    ['1.36', [undefined, 'it is about kube-proxy 1.30 and earlier; the binary is 1.36']],
    ['1.30', ['it is about kube-proxy 1.36 and later; the binary is 1.30', undefined]],
  ] as const) {
    const { code, stdout } = await vethlab([
      ...['run', lab, '--kube-proxy', make(['--like', like]), '--reporter', 'json'],
    ])
    t.equal(code, 0, stdout)
    const { steps } = JSON.parse(stdout) as LabResult
    t.strictSame(
      steps.map(({ skipped }) => skipped),
      expected,
    )
  }
})

t.test('a lab about other versions is not run', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(join(lab, 'lab.yaml'), "proxy: { versions: { from: '1.31' } }\n")
  const old = ['--kube-proxy', make(['--like', '1.30'])]
  const named = await vethlab(['run', lab, ...old])
  t.equal(named.code, 3)
  t.match(named.stderr, 'it is about kube-proxy 1.31 and later; the binary is 1.30')

  t.equal((await vethlab(['run', lab, '--kube-proxy', make(['--like', '1.36'])])).code, 0)
})

t.test('versions in lab.yaml', async (t) => {
  const lab = copyOfLab(t, 'nodeport')
  const wrong = async (text: string, message: string | RegExp) => {
    writeFileSync(join(lab, 'lab.yaml'), text)
    const { code, stderr } = await vethlab(['run', lab])
    t.equal(code, 2)
    t.match(stderr, message)
  }
  await wrong(
    'proxy: { versions: { from: 1.30 } }\n',
    /lab\.yaml:1:28: "from" in proxy\.versions must be text, not 1\.3; write it in quotes/,
  )
  await wrong("proxy: { versions: { from: 'v1.30' } }\n", 'is a minor version in quotes, such as "1.31"')
  await wrong('proxy: { versions: {} }\n', 'needs "from" or "to"')
})

t.test('the built-in kube-proxy has the rules of a version', { skip: cannotRun }, async (t) => {
  const lab = copyOfLab(t, 'nodeport')
  const long = 'a'.repeat(63)
  writeFileSync(
    join(lab, 'manifests', 'long.yaml'),
    `apiVersion: v1
kind: Namespace
metadata: { name: ${'n'.repeat(63)} }
---
apiVersion: v1
kind: Service
metadata: { name: ${long}, namespace: ${'n'.repeat(63)} }
spec: { selector: { app: none }, ports: [{ name: http, port: 80 }] }
`,
  )
  const run = async (kubeProxy: string, command: string) => {
    writeFileSync(
      join(lab, 'lab.yaml'),
      `kubeProxy: ${kubeProxy}
steps:
  - { name: the rules, from: node-a, command: [sh, -c, '${command}'] }
  - { name: a request, curl: 'http://{node-a}:30080/', expect: { status: 200 } }
`,
    )
    return vethlab(['run', lab])
  }
  const old = await run("{ version: '1.24' }", 'iptables-save | grep -q KUBE-MARK-DROP')
  t.equal(old.code, 0, old.stdout + old.stderr)
  const nft = await run(
    "{ version: '1.35', mode: nftables }",
    'nft list table ip kube-proxy | grep -q mark-for-masq',
  )
  t.equal(nft.code, 0, nft.stdout + nft.stderr)
  t.match(nft.stdout + nft.stderr, 'kube-proxy 1.35 writes no rule of any Service while')
})
