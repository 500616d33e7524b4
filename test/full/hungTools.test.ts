import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cannotRun } from '../kernel/ability.js'
import { vethlab } from '../kernel/commandLine.js'

const tools = ['ip', 'sysctl', 'xargs', 'nginx', 'tcpdump', 'iptables', 'iptables-restore', 'iptables-save']

t.setTimeout(600_000)
t.jobs = tools.length

for (const tool of tools) {
  t.test(`${tool} hangs`, { skip: cannotRun }, async (t) => {
    const folder = join(t.testdir({}), tool)
    mkdirSync(folder)
    writeFileSync(join(folder, tool), '#!/bin/sh\nexec sleep 1000\n')
    chmodSync(join(folder, tool), 0o755)
    const begun = performance.now()
    const { code, stderr } = await vethlab(['run', 'nodeport'], {
      env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    })
    t.comment(
      `figure: ${tool} hung, and the run ended after ${Math.round((performance.now() - begun) / 1000)} s`,
    )
    t.equal(code, 3, stderr)
    t.match(stderr, / hangs: `.*is not done after 60 s/)
    t.match(stderr, tool)
  })
}
