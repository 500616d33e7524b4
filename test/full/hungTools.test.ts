import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cannotRun } from '../kernel/ability.js'
import { vethlab } from '../kernel/commandLine.js'
import { fault } from './faultTable.js'

/** Each tool, and a lab that uses it. */
const tools = {
  ...{ ip: 'nodeport', sysctl: 'nodeport', xargs: 'topology', nginx: 'nodeport', tcpdump: 'nodeport' },
  ...{ iptables: 'nodeport', 'iptables-restore': 'nodeport', 'iptables-save': 'nodeport' },
  ...{ curl: 'nodeport', ping: 'iptables-basics', nc: 'udp-conntrack', conntrack: 'udp-conntrack' },
}

const hangs = 'exec sleep 1000'
/** Hangs only as what sends the requests of a load. */
const hangsInLoad = `case " $* " in *" --rate "*) ${hangs};; esac\nexec /usr/bin/curl "$@"`

const cases = [
  ...Object.entries(tools).map(([tool, lab]) => ({ tool, lab, script: hangs })),
  { tool: 'curl', lab: 'kube-proxy-watch', script: hangsInLoad },
]

t.setTimeout(900_000)

fault('hungTools', 'a tool hangs', { skip: cannotRun, timeout: 900_000 }, async (t, row) => {
  t.jobs = cases.length
  const folder = t.testdir({})
  for (const { tool, lab, script } of cases) {
    void t.test(`${tool} hangs in ${lab}`, async (t) => {
      const bin = join(folder, `${tool}-${lab}`)
      mkdirSync(bin)
      writeFileSync(join(bin, tool), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      const begun = performance.now()
      const { code, stderr } = await vethlab(['run', lab], {
        env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
      })
      const seconds = Math.round((performance.now() - begun) / 1000)
      t.comment(`figure: ${tool} hung in ${lab}, and the run ended after ${seconds} s`)
      row.ended(code, stderr)
      t.match(stderr, / hangs: `.*is not done after \d+ s/)
      t.match(stderr, tool)
    })
  }
  await t.test('all of them have ended', (t) => t.end())
})
