import t from 'tap'
import { prepareLab, type PreparedLab } from '../../../src/lab/plan/prepareLab.js'
import { isRequest } from '../../../src/lab/file/toStep.js'
import { runSteps } from '../../../src/lab/steps/runSteps.js'
import type { RunningLab } from '../../../src/lab/up/runningLab.js'
import { withRunningLab } from '../../../src/lab/up/withRunningLab.js'
import type { Place } from '../../../src/topology/types.js'
import { cannotRun } from '../../kernel/ability.js'

/**
 * Rules of node-a that the nodeport lab does not cover: they serve the cluster address, packets from inside the
 * node, or states that its requests are never in.
 */
const uncovered = [
  /^-A KUBE-SERVICES -d 10\.96\..* cluster IP/,
  /^-A KUBE-SVC-\S+ ! -s 10\.244\.0\.0\/16 -d 10\.96\./,
  /^-A KUBE-SEP-\S+ -s 10\.244\.\S+ .* -j KUBE-MARK-MASQ$/,
  /^-A KUBE-NODEPORTS -d 127\.0\.0\.0\/8/,
  /^-A KUBE-POSTROUTING -j MARK --set-xmark/,
]

/** Missed only where chance takes a request of step 2 to the pod on node-a. */
const byChance = /^-A KUBE-POSTROUTING -m mark ! --mark .* -j RETURN$/

/** Which check must fail when a rule is gone, where the lesson is about that rule. */
const expected: readonly { readonly rule: RegExp; readonly caughtBy: RegExp }[] = [
  { rule: /^-A KUBE-NODEPORTS -p tcp .* --dport 30080/, caughtBy: /DNAT of node-a:30080/ },
  { rule: /^-A KUBE-EXT-\S+ .* -j KUBE-MARK-MASQ$/, caughtBy: /SNAT of client to node-a/ },
  { rule: /^-A KUBE-EXT-\S+ -j KUBE-SVC-/, caughtBy: /DNAT of node-a:30080/ },
  { rule: /^-A KUBE-SVC-\S+ .*--probability 0\.5/, caughtBy: /gets a share/ },
  { rule: /^-A KUBE-POSTROUTING .* -j MASQUERADE/, caughtBy: /the pod sees node-a/ },
  { rule: /^-A KUBE-SERVICES .* -j KUBE-NODEPORTS$/, caughtBy: /status 200/ },
]

/** A missing rule often means no answer: where a check must fail, a second is long enough to wait for it. */
function impatient(prepared: PreparedLab): PreparedLab {
  const steps = prepared.lab.steps.map((step) =>
    // short on purpose: a check must fail
    isRequest(step.action) ? { ...step, action: { ...step.action, timeoutSeconds: 1 } } : step,
  )
  return { ...prepared, lab: { ...prepared.lab, steps } }
}

async function serviceRules(started: RunningLab, node: Place): Promise<string[]> {
  const { stdout } = await started.exec(node, ['iptables', '-t', 'nat', '-S'])
  return stdout
    .split('\n')
    .filter((line) => /^-A KUBE-(NODEPORTS|SERVICES|EXT|SVC|SEP|MARK-MASQ|POSTROUTING)/.test(line))
}

/** The words of a rule as `iptables -S` prints it; only comments are quoted there. */
function words(rule: string): string[] {
  return [...rule.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
}

t.test('every rule that the nodeport lab speaks of is missed by a check', { skip: cannotRun }, async (t) => {
  const patient = prepareLab('nodeport')
  const [node] = patient.topology.nodes
  if (node === undefined) throw new Error('the lab has no node')
  const rules = await withRunningLab(patient, {}, (started) => serviceRules(started, node))
  t.ok(rules.length >= 14, `${rules.length} rules`)
  for (const { rule } of expected)
    t.ok(
      rules.some((one) => rule.test(one)),
      `there is a rule ${rule}`,
    )

  // most of the time is spent waiting for answers that do not come
  t.jobs = 4
  for (const rule of rules)
    void t.test(rule, async (t) => {
      const isUncovered = uncovered.some((one) => one.test(rule))
      await withRunningLab(isUncovered ? patient : impatient(patient), {}, async (sabotaged) => {
        const argv = ['iptables', '-t', 'nat', '-D', ...words(rule).slice(1)]
        const { exitCode, stderr } = await sabotaged.exec(node, argv)
        t.equal(exitCode, 0, stderr)
        const results = await runSteps(sabotaged)
        const failed = results.flatMap(({ checks }) => checks.filter(({ ok }) => !ok).map(({ name }) => name))
        if (byChance.test(rule)) return
        const expects = expected.find((one) => one.rule.test(rule))
        if (expects !== undefined)
          t.ok(
            failed.some((name) => expects.caughtBy.test(name)),
            failed.join('\n'),
          )
        else if (isUncovered) t.strictSame(failed, [], 'no check covers it')
        else t.ok(failed.length > 0, 'a check fails')
      })
    })
})
