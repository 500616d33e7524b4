import t from 'tap'
import {
  endpointChainName,
  isServiceChain,
  serviceChainNames,
} from '../../../../src/agents/kubeProxy/iptables/chainNames.js'

t.test('names of service chains, as upstream and real clusters have them', (t) => {
  for (const [name, protocol, expected] of [
    ['ns1/svc1:p80', 'tcp', 'XPGD46QRK7WJZT7O'],
    ['ns5/svc5:p80', 'tcp', 'NUKIZ6OKUXPJNT4C'],
    ['ns2/svc2:p8080', 'tcp', '2VJB64SDSIJUP5T6'],
    ['default/kubernetes:https', 'tcp', 'NPX46M4PTMTKRN6Y'],
    ['kube-system/kube-dns:dns', 'udp', 'TCOU7JCQXEZGVUNU'],
    ['kube-system/kube-dns:dns-tcp', 'tcp', 'ERIFXISQEP7F7OF4'],
    ['ns1/svc1', 'tcp', 'AQI2S6QIMU7PVVRP'],
    ['ns2/svc2:dns-sctp', 'sctp', 'L76IW5RJFPV7YBZO'],
  ] as const) {
    t.same(serviceChainNames(name, protocol), {
      cluster: `KUBE-SVC-${expected}`,
      local: `KUBE-SVL-${expected}`,
      external: `KUBE-EXT-${expected}`,
      firewall: `KUBE-FW-${expected}`,
    })
  }
  t.end()
})

t.test('names of endpoint chains', (t) => {
  for (const [name, endpoint, expected] of [
    ['ns1/svc1:p80', '10.180.0.1:80', 'KUBE-SEP-SXIVWICOYRO3J4NJ'],
    ['ns5/svc5:p80', '10.180.0.3:80', 'KUBE-SEP-I77PXRDZVX7PMWMN'],
    ['ns4/svc4:p8082', '10.4.0.1:8082', 'KUBE-SEP-SU5STNODRYEWJAUF'],
    ['ns3/svc3:p8081', '203.0.113.4:8081', 'KUBE-SEP-RUVVH7YV3PHQBDOS'],
    ['ns1/svc1', '10.0.1.1:80', 'KUBE-SEP-3JOIVZTXZZRGORX4'],
    ['ns1/svc1:p80', '[fd00:10:180::1]:80', 'KUBE-SEP-OGYCNMB4EMRUSJ6N'],
  ] as const) {
    t.equal(endpointChainName(name, 'tcp', endpoint), expected, `${name} ${endpoint}`)
  }
  t.end()
})

t.test('which chains are of a service port', (t) => {
  t.ok(isServiceChain('KUBE-FW-NUKIZ6OKUXPJNT4C'))
  t.notOk(isServiceChain('KUBE-SERVICES'))
  t.notOk(isServiceChain('KUBE-FORWARD'))
  t.end()
})
