import t from 'tap'
import { cannotRun } from './ability.js'
import { checkSnapshot } from './snapshotAnswers.js'

/** Labs with one kind of path each; test/full/labs has all. */
for (const lab of ['nodeport', 'loadbalancer-cloud', 'pod-network-vxlan', 'session-affinity'])
  t.test(`a snapshot of the running lab ${lab} answers as the lab does`, { skip: cannotRun }, (t) =>
    checkSnapshot(t, lab, ['iptables', 'nftables'], 3),
  )
