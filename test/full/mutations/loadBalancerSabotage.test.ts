import t from 'tap'
import { findTool } from '../../../src/host/environment.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { runSteps } from '../../../src/lab/steps/runSteps.js'
import { isRequest } from '../../../src/lab/file/toStep.js'
import { withRunningLab } from '../../../src/lab/up/withRunningLab.js'
import { cannotRun } from '../../kernel/ability.js'

const skip = cannotRun || (findTool('socat') === undefined && 'missing here: socat')

/** What is broken in lab loadbalancer, on whichever nodes can be, and the steps of which a check must notice. */
const sabotages: readonly (readonly [command: string, step: RegExp, check: RegExp])[] = [
  ['ip neigh del proxy 192.0.2.4 dev eth0', /^A Service without node ports/, /^status 200/],
  ['iptables -t filter -F KUBE-PROXY-FIREWALL', /^Packets of other clients/, /^passes/],
  [
    'iptables -t nat -I PREROUTING -d 192.0.2.3 -s 172.18.1.2 -j ACCEPT',
    /^loadBalancerSourceRanges/,
    /^status 200/,
  ],
  ['ip address add 192.0.2.1/32 dev eth0', /^No interface/, /^output/],
]

// most of the time is spent waiting for answers that do not come
t.jobs = 4

for (const [command, step, check] of sabotages)
  t.test(`lab loadbalancer notices: ${command}`, { skip }, async (t) => {
    const whole = prepareLab('loadbalancer')
    const steps = whole.lab.steps
      .filter(({ name }) => step.test(name))
      .map((step) =>
        // short on purpose: a check must fail
        isRequest(step.action) ? { ...step, action: { ...step.action, timeoutSeconds: 1 } } : step,
      )
    const prepared = { ...whole, lab: { ...whole.lab, steps } }
    await withRunningLab(prepared, { label: 'loadbalancer-sabotage' }, async (started) => {
      const done = await Promise.all(
        prepared.topology.nodes.map(({ netns }) => started.sandbox.run(command.split(' '), { netns })),
      )
      t.ok(done.some(({ exitCode }) => exitCode === 0))
      const failed = (await runSteps(started)).flatMap(({ checks }) =>
        checks.filter(({ ok }) => !ok).map(({ name }) => name),
      )
      t.ok(
        failed.some((name) => check.test(name)),
        failed.join(', '),
      )
    })
  })
