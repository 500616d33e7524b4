import t from 'tap'
import { compareReach } from '../../src/diagnose/reach/compare.js'
import { withOtherProxy } from '../../src/diagnose/reach/otherProxy.js'
import { reach } from '../../src/diagnose/reach/reach.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { brokenSteps, differenceSteps } from '../../src/view/report/reachSteps.js'
import { requestDocument } from '../../src/view/report/tracedRequest.js'

t.test('a page has the path of each difference, before and after', (t) => {
  const snapshot = planSnapshot('nodeport')
  const compared = compareReach(snapshot, withOtherProxy(snapshot, { mode: 'nftables' }), {
    sameCluster: true,
  })
  const steps = differenceSteps(compared)
  t.equal(steps.length, compared.groups.length * 2)
  const ends = steps.map(
    ({ step, paths }) => `${step.name}: ${paths.map(({ path }) => path.end.caller).join()}`,
  )
  t.ok(
    ends.some((text) => /before: from nodes to node ports on loopback.*: answer,answer$/.test(text)),
    ends.join('; '),
  )
  t.ok(ends.some((text) => /after: from nodes to node ports on loopback.*: connection refused$/.test(text)))
  t.end()
})

t.test('two clusters have a topology each', (t) => {
  const [one, other] = [planSnapshot('nodeport'), planSnapshot('nodeport-details')]
  const compared = compareReach(one, other, { sameCluster: false })
  const { labs } = requestDocument('1.0.0', one.model, differenceSteps(compared))
  const topologies = labs[0]?.steps.map(({ topology }) => topology) ?? []
  t.ok(new Set(topologies).size > 1)
  for (const index of topologies) t.ok(labs[0]?.topologies[index])
  t.end()
})

t.test('a healthy cluster breaks no promise', (t) => {
  t.same(brokenSteps(reach(planSnapshot('clusterip'))), [])
  t.end()
})
