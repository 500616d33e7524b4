import t from 'tap'
import {
  parseVersion,
  versionText,
  whyNotInRange,
} from '../../../../src/agents/kubeProxy/versions/version.js'

t.test('what --version prints', (t) => {
  t.equal(parseVersion('Kubernetes v1.30.5\n'), 30)
  t.equal(parseVersion('Kubernetes v1.36.0-alpha.1+abc\n'), 36)
  t.equal(parseVersion('some notice\nKubernetes v1.9.0'), 9)
  for (const other of ['', 'v1.30.5', 'Kubernetes v2.1.0', 'Kubernetes v1.x']) {
    t.equal(parseVersion(other), undefined, other)
  }
  t.equal(versionText(30), '1.30')
  t.end()
})

t.test('both ends of a range belong to it, and may be open', (t) => {
  const range = { from: '1.9', to: '1.31' }
  t.strictSame(
    [8, 9, 30, 31, 32].map((version) => whyNotInRange(version, range)),
    ['kube-proxy 1.9 to 1.31', undefined, undefined, undefined, 'kube-proxy 1.9 to 1.31'],
  )
  t.equal(whyNotInRange(30, { from: '1.31' }), 'kube-proxy 1.31 and later')
  t.equal(whyNotInRange(31, { from: '1.31' }), undefined)
  t.equal(whyNotInRange(31, { to: '1.30' }), 'kube-proxy 1.30 and earlier')
  t.equal(whyNotInRange(30, { to: '1.30' }), undefined)
  t.end()
})
