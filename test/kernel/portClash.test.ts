import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseDocument } from 'yaml'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab } from './commandLine.js'

const port = 4321
const send = (host: string, to: number) => ({ host, port: to, udp: true, sourcePort: port, send: 'hello' })

t.test(
  'a source port that an earlier connection to the same pod has is no rewrite of a rule',
  { skip: cannotRun },
  async (t) => {
    const path = copyOfLab(t, 'udp-conntrack')
    const file = join(path, 'lab.yaml')
    const lab = parseDocument(readFileSync(file, 'utf8'))
    lab.set('steps', [
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
    writeFileSync(file, String(lab))
    const { code, stdout, stderr } = await vethlab(['run', path, '--reporter', 'json'])
    t.equal(code, 0, stderr)
    // the kernel did change the port
    t.ok(/only a new source port, because another connection has the old one: SNAT at node-a/.test(stdout))
    t.ok(new RegExp(`:${port} \\(caller\\) → [\\d.]+:(?!${port})\\d+ \\(caller\\)`).test(stdout))
    const verified = await vethlab(['run', path, '--verify'])
    t.equal(verified.code, 0, verified.stderr)
    t.match(verified.stdout, '2 paths predicted, 2 as observed')
  },
)
