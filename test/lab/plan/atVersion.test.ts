import t from 'tap'
import { OtherVersionError } from '../../../src/errors.js'
import { atVersion } from '../../../src/lab/plan/atVersion.js'
import { planKubeProxies } from '../../../src/lab/plan/kubeProxyBinary.js'
import { watchedBy } from '../../../src/snapshot/model/kubeProxy.js'
import { prepareLab, type PreparedLab } from '../../../src/lab/plan/prepareLab.js'
import type { ModeName } from '../../../src/agents/kubeProxy/config.js'

const withBinary = (lab: string, mode?: ModeName) =>
  prepareLab(lab, { kubeProxyBinary: '/opt/kube-proxy', ...(mode === undefined ? {} : { mode }) })

const leftOut = ({ lab }: PreparedLab) => lab.steps.flatMap((step) => step.leftOut ?? [])

t.test('steps that are about other versions are left out', (t) => {
  const lab = withBinary('udp-conntrack')
  t.strictSame(leftOut(atVersion(lab, 36)), [])
  const reason = (version: string) => `it is about kube-proxy 1.32 to 1.36; the binary is ${version}`
  t.strictSame(leftOut(atVersion(lab, 30)), [reason('1.30'), reason('1.30')])
  t.strictSame(leftOut(atVersion(lab, 37)), [reason('1.37'), reason('1.37')])
  t.equal(atVersion(lab, undefined), lab, 'an unknown version')
  const builtIn = prepareLab('udp-conntrack')
  t.equal(atVersion(builtIn, 30), builtIn, 'the built-in kube-proxy')
  const byVersion = (mode: ModeName) =>
    leftOut(atVersion(withBinary('proxy-modes', mode), 30)).filter((why) => why.includes('the binary'))
  t.equal(byVersion('nftables').length, 3)
  t.equal(byVersion('iptables').length, 0, 'the mode is the first reason')
  t.end()
})

t.test('a lab, and a mode, that a version does not have', (t) => {
  const reasonOf = (lab: PreparedLab, version: number) => {
    try {
      return atVersion(lab, version).kubeProxy.kind
    } catch (error) {
      return error instanceof OtherVersionError ? error.reason : error
    }
  }
  t.equal(reasonOf(withBinary('topology'), 30), 'it is about kube-proxy 1.31 and later; the binary is 1.30')
  t.equal(reasonOf(withBinary('topology'), 31), 'binary')
  t.equal(
    reasonOf(withBinary('nodeport', 'nftables'), 28),
    'kube-proxy has had the mode nftables since 1.29; the binary is 1.28',
  )
  t.equal(reasonOf(withBinary('nodeport'), 28), 'binary')
  t.end()
})

t.test('versions with mode nftables behind a gate get the gate', (t) => {
  const configuration = (mode: ModeName, version: number | undefined) => {
    const prepared = atVersion(withBinary('nodeport', mode), version)
    if (prepared.kubeProxy.kind !== 'binary') throw new Error('the lab runs a binary')
    const { files } = planKubeProxies(prepared, prepared.kubeProxy)
    return files.map(({ text }) => text).join('')
  }
  const gate = 'featureGates:\n  NFTablesProxyMode: true\n'
  for (const version of [29, 30]) t.match(configuration('nftables', version), gate)
  for (const version of [31, 36, undefined]) t.notMatch(configuration('nftables', version), 'featureGates')
  t.notMatch(configuration('iptables', 30), 'featureGates')
  t.end()
})

t.test('older versions do not watch Services with the label of headless ones', (t) => {
  const lab = withBinary('ports-and-protocols')
  const watched = (version: number | undefined) =>
    watchedBy(atVersion(lab, version).kubeProxy, lab.cluster).services.map(({ metadata }) => metadata.name)
  t.notOk(watched(30).includes('labelled-headless'))
  for (const version of [36, undefined]) t.ok(watched(version).includes('labelled-headless'))
  t.equal(watched(36).length - watched(30).length, 1)
  t.end()
})
