import t from 'tap'
import { parseKubeProxyConfiguration } from '../../../../src/agents/kubeProxy/parseConfig.js'
import { nodePortAddresses } from '../../../../src/agents/kubeProxy/nodeAddresses.js'
import { features, versionsByForm, type Feature } from '../../../../src/agents/kubeProxy/versions/features.js'
import { chosenVersions, readVersionText } from '../../../../src/agents/kubeProxy/versions/known.js'
import { minorOf } from '../../../../src/agents/kubeProxy/versions/version.js'
import { input } from '../objects.js'

t.test('versions that can be chosen', (t) => {
  t.equal(chosenVersions[0], '1.24')
  t.equal(chosenVersions.at(-1), '1.37')
  t.equal(readVersionText('1.30'), 30)
  for (const wrong of ['1.23', '1.38', '30', 'v1.30', 1.3])
    t.equal(readVersionText(wrong), undefined, String(wrong))
  t.end()
})

t.test('each row names its change, and its versions can be chosen', (t) => {
  for (const [name, { from, to, changes, about }] of Object.entries<Feature>(features)) {
    t.ok(changes.length > 0 && about !== '', name)
    t.ok((from ?? 25) > 24 && (from ?? 25) <= 37 && (to ?? 24) >= 24 && (to ?? 24) < 37, name)
  }
  t.strictSame(
    versionsByForm(chosenVersions.map(minorOf), 'iptables').map((versions) => versions.join(' ')),
    ['24', '25', '26', '27 28', '29', '30', '31 32 33', '34 35', '36 37'],
  )
  t.end()
})

t.test('a mode whose rules are not known', (t) => {
  const problems = (mode: string, version: number) =>
    parseKubeProxyConfiguration({ mode }, version).problems.map(({ message }) => message)
  t.strictSame(problems('nftables', 30), [
    'the rules of mode nftables are known of kube-proxy 1.31 to 1.37, not of 1.30',
  ])
  t.strictSame(problems('ipvs', 29), [
    'the rules of mode ipvs are known of kube-proxy 1.30 to 1.37, not of 1.29',
  ])
  t.strictSame(problems('iptables', 24), [])
  t.end()
})

t.test('feature gates are those of the version', (t) => {
  const problems = (gate: string, value: boolean, version: number) =>
    parseKubeProxyConfiguration({ featureGates: { [gate]: value } }, version).problems.map(
      ({ message }) => message,
    )
  t.strictSame(problems('NFTablesNetlink', false, 37), [])
  t.match(problems('NFTablesNetlink', false, 36), [/unrecognized feature gate: NFTablesNetlink/])
  t.strictSame(problems('KubeProxyNFTablesLocalhostNodePorts', false, 37), [])
  t.match(problems('KubeProxyNFTablesLocalhostNodePorts', true, 37), [/not supported/])
  t.match(problems('AllAlpha', true, 30), [/the feature gates of kube-proxy 1\.30 are not known/])
  t.end()
})

t.test('nodePortAddresses may mix words and ranges since 1.37', (t) => {
  const nodePorts = { nodePortAddresses: ['primary', 'localhost', '192.168.1.0/24'] }
  t.equal(parseKubeProxyConfiguration(nodePorts, 36).problems.length, 1)
  const { config, problems } = parseKubeProxyConfiguration(nodePorts, 37)
  t.strictSame(problems, [])
  t.strictSame(nodePortAddresses(input([], [], config), 'IPv4').addresses, [
    '127.0.0.1',
    '192.168.0.2',
    '192.168.1.2',
  ])
  const all = parseKubeProxyConfiguration({ nodePortAddresses: ['all'] }, 37).config
  t.ok(nodePortAddresses(input([], [], all), 'IPv6').matchAll)
  t.match(parseKubeProxyConfiguration({ nodePortAddresses: ['any'] }, 37).problems, [
    { message: /must be a valid CIDR/ },
  ])
  t.end()
})
