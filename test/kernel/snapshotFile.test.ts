import t from 'tap'
import { cannotRun } from './ability.js'
import { checkSnapshot } from './snapshotAnswers.js'
import { runs } from '../suite.js'

/** Labs with one kind of path each, in `npm test` the first; test/full/labs has all. */
const labs = ['nodeport', 'session-affinity', 'loadbalancer-cloud', 'pod-network-vxlan']

for (const lab of labs.slice(0, runs(4, 1)))
  t.test(`a snapshot of the running lab ${lab} answers as the lab does`, { skip: cannotRun }, (t) =>
    checkSnapshot(t, lab, ['iptables', 'nftables'], 3),
  )
