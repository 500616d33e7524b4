import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseDocument } from 'yaml'
import { verifyLab, type VerifiedRequest } from '../../scripts/verifiedLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab } from './commandLine.js'

const port = 4321
const send = (host: string, to: number) => ({ host, port: to, udp: true, sourcePort: port, send: 'hello' })

/** A copy of the lab udp-conntrack with these steps. */
function labWith(t: Test, steps: readonly object[]): string {
  const path = copyOfLab(t, 'udp-conntrack')
  const file = join(path, 'lab.yaml')
  const lab = parseDocument(readFileSync(file, 'utf8'))
  lab.set('steps', steps)
  writeFileSync(file, String(lab))
  return path
}

/** Compares the two requests of the lab with their predictions. */
async function verify(t: Test, path: string) {
  const seen: VerifiedRequest[] = []
  await withRunningLab(prepareLab(path), { capture: false }, (running) =>
    verifyLab(running, (request) => seen.push(request)),
  )
  t.strictSame(
    seen.map(({ observed, unpredicted }) => [observed?.comparison.differences, unpredicted]),
    [
      [[], undefined],
      [[], undefined],
    ],
  )
}

t.test(
  'a source port that an earlier connection to the same pod has is no rewrite of a rule',
  { skip: cannotRun },
  async (t) => {
    const path = labWith(t, [
      {
        name: 'service',
        from: 'caller',
        nc: send('{dns}', 53),
        expect: { answered: true, dnat: { to: 'app=dns' } },
      },
      {
        name: 'pod',
        from: 'caller',
        nc: send('{app=dns}', 5353),
        expect: { answered: true, nat: 'none', snat: 'none', dnat: 'none' },
      },
    ])
    const { code, stdout, stderr } = await vethlab(['run', path, '--reporter', 'json'])
    t.equal(code, 0, stderr)
    // the kernel did change the port
    t.ok(/only a new source port, because another connection has the old one: SNAT at node-a/.test(stdout))
    t.ok(new RegExp(`:${port} \\(caller\\) → [\\d.]+:(?!${port})\\d+ \\(caller\\)`).test(stdout))
    await verify(t, path)
  },
)

t.test(
  'a masquerade keeps the source port only where no earlier connection to the same pod has it',
  { skip: cannotRun },
  async (t) => {
    const masquerade = ['-p', 'udp', '--dport', '5353', '-j', 'MASQUERADE']
    const path = labWith(t, [
      {
        name: 'rule',
        from: 'node-a',
        command: ['iptables', '-t', 'nat', '-A', 'POSTROUTING', ...masquerade],
        expect: { exitCode: 0 },
      },
      { name: 'node', from: 'node-a', nc: send('{app=dns}', 5353), expect: { answered: true } },
      {
        name: 'pod',
        from: 'caller',
        nc: send('{app=dns}', 5353),
        expect: { answered: true, snat: { from: 'caller', to: 'node-a', at: 'node-a' } },
      },
    ])
    const { code, stdout, stderr } = await vethlab(['run', path, '--reporter', 'json'])
    t.equal(code, 0, stderr)
    t.ok(new RegExp(`:${port} \\(caller\\) → [\\d.]+:(?!${port})\\d+ \\(node-a\\)`).test(stdout))
    await verify(t, path)
  },
)
