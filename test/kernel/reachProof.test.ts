import t from 'tap'
import { compareReach } from '../../src/diagnose/reach/compare.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { withOtherProxy } from '../../src/diagnose/reach/otherProxy.js'
import { proveRequests } from '../../src/lab/reach/proveReach.js'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { proveClusters } from './randomPackets/proveClusters.js'

const seed = Number(process.env['VETHLAB_SEED'] ?? 1)

t.test(
  'packets show the differences between the modes, and none elsewhere',
  { skip: cannotRun },
  async (t) => {
    const { differences, equal, failures } = await proveClusters(runs(10, 1), seed)
    t.strictSame(failures, [], `seed ${seed}`)
    t.ok(differences > 0)
    t.ok(equal > 0)
  },
)

t.test('a prediction that is wrong is not proven', { skip: cannotRun }, async (t) => {
  const snapshot = planSnapshot('nodeport')
  const { groups } = compareReach(snapshot, withOtherProxy(snapshot, { mode: 'nftables' }), {
    sameCluster: true,
  })
  const asked = groups.flatMap(({ first: { request, after } }) =>
    after === undefined ? [] : { request, cell: after },
  )
  // what mode nftables does, asked of a lab in mode iptables
  const proven = await proveRequests(prepareLab('nodeport'), asked)
  t.ok(proven.length >= 4)
  for (const { agrees, observed } of proven) t.equal(agrees, false, observed)
})
