import t from 'tap'
import { prepareLab, type PreparedLab } from '../../../src/lab/plan/prepareLab.js'
import { isRequest } from '../../../src/lab/file/toStep.js'
import { runSteps } from '../../../src/lab/steps/runSteps.js'
import { withRunningLab } from '../../../src/lab/up/withRunningLab.js'
import { cannotRun } from '../../kernel/ability.js'

/** What is broken on node-a of a lab before its steps, and the checks that must notice. */
interface Sabotage {
  readonly command: string
  /** True where checks of other steps must not. */
  readonly alone?: true
  /** Step and check. */
  readonly caughtBy: readonly (readonly [step: RegExp, check: RegExp])[]
}

const labs: Readonly<Record<string, readonly Sabotage[]>> = {
  'iptables-basics': [
    {
      command: 'iptables -t nat -I PREROUTING -d 10.96.0.1 -j ACCEPT',
      caughtBy: [
        [/^The address answers/, /^DNAT of/],
        [/^No reply matches it/, /^status 200/],
      ],
    },
    {
      command: 'iptables -t nat -I POSTROUTING -p tcp --sport 8080 -j ACCEPT',
      alone: true,
      caughtBy: [[/^A connection that the pod opens/, /^SNAT of web:8080/]],
    },
  ],
  'pod-network': [
    {
      command: 'iptables -t nat -F POSTROUTING',
      alone: true,
      caughtBy: [[/^Outside hosts have no route/, /^SNAT of app=web@node-a to node-a/]],
    },
    {
      command: 'iptables -t nat -I POSTROUTING -s 10.244.1.0/24 -o eth0 -j MASQUERADE',
      caughtBy: [[/^Across nodes/, /^no NAT/]],
    },
    {
      command: 'ip route del 10.244.2.0/24',
      caughtBy: [
        [/^To a pod of another node/, /^output contains/],
        [/^Across nodes/, /^status 200/],
        [/^A node reaches pods of other nodes/, /^status 200/],
      ],
    },
  ],
  'pod-network-vxlan': [
    {
      command: 'bridge fdb del 0a:58:0a:f4:02:00 dev flannel.1 dst 172.18.0.3 self',
      caughtBy: [
        [/^A permanent forwarding entry/, /^output contains/],
        [/^Across nodes/, /^status 200/],
      ],
    },
    {
      command: 'ip route replace 10.244.2.0/24 via 172.18.0.3 dev eth0',
      caughtBy: [
        [/^The route to a pod of another node/, /^output contains/],
        [/^Across nodes/, /^passes/],
        [/^A node that calls/, /^passes/],
      ],
    },
  ],
  'host-port': [
    {
      command: 'iptables -t nat -F CNI-HOSTPORT-MASQ',
      caughtBy: [
        [/^The node itself/, /^status 200/],
        [/^A pod that calls/, /^SNAT of web/],
      ],
    },
    {
      command: 'iptables -t nat -D OUTPUT -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
      caughtBy: [
        [/^The node itself/, /^status 200/],
        [/^With a hostIP/, /^status 200/],
      ],
    },
    {
      command: 'iptables -t nat -D PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT',
      caughtBy: [
        [/^The client reaches/, /^DNAT of node-a:8080/],
        [/^UDP has/, /^DNAT of node-a:5353/],
      ],
    },
  ],
  'dual-stack': [
    {
      command: 'ip6tables -t nat -F KUBE-NODEPORTS',
      alone: true,
      caughtBy: [
        [/^The same node port/, /^status 200/],
        [/^An IPv6-only Service/, /^status 200/],
      ],
    },
    {
      command: 'iptables -t nat -F KUBE-NODEPORTS',
      alone: true,
      caughtBy: [
        [/^The node port answers/, /^status 200/],
        [/^A Service without ipFamilies/, /^status 200/],
      ],
    },
  ],
}

/** For labs in which checks must fail: no request waits longer than a second for its answer. */
function impatient(prepared: PreparedLab): PreparedLab {
  const steps = prepared.lab.steps.map((step) => {
    if (!isRequest(step.action)) return step
    const timeoutSeconds = Math.min(1, step.action.timeoutSeconds)
    return { ...step, action: { ...step.action, timeoutSeconds } }
  })
  return { ...prepared, lab: { ...prepared.lab, steps } }
}

// most of the time is spent waiting for answers that do not come
t.jobs = 4

for (const [lab, sabotages] of Object.entries(labs))
  for (const { command, alone = false, caughtBy } of sabotages)
    t.test(`${lab} notices: ${command}`, { skip: cannotRun }, async (t) => {
      // where other checks must pass, their requests have all the time they need
      const prepared = alone ? prepareLab(lab) : impatient(prepareLab(lab))
      const node = prepared.topology.nodes.find(({ name }) => name === 'node-a')
      if (node === undefined) throw new Error('the lab has no node-a')
      await withRunningLab(prepared, {}, async (started) => {
        const { exitCode, stderr } = await started.exec(node, command.split(' '))
        t.equal(exitCode, 0, stderr)
        const failed = (await runSteps(started)).flatMap(({ name, checks }) =>
          checks.filter(({ ok }) => !ok).map((check) => ({ step: name, check: check.name })),
        )
        const reported = failed.map(({ step, check }) => `${step}: ${check}`).join('\n')
        for (const [step, check] of caughtBy)
          t.ok(
            failed.some((one) => step.test(one.step) && check.test(one.check)),
            `${step} ${check}\n${reported}`,
          )
        for (const one of alone ? failed : [])
          t.ok(
            caughtBy.some(([step]) => step.test(one.step)),
            `nothing else fails, but ${one.step}: ${one.check}`,
          )
      })
    })
