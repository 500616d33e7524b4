import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab, vethlab } from '../../kernel/commandLine.js'
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

/** Hangs only with such arguments, which it has when a change is made to a lab. */
const hangsInChange = (tool: string, args: string) =>
  `case "$*" in ${args}) ${hangs};; esac\nexec /usr/sbin/${tool} "$@"`

const cases = [
  ...Object.entries(tools).map(([tool, lab]) => ({ tool, lab, script: hangs })),
  { tool: 'curl', lab: 'kube-proxy-watch', script: hangsInLoad },
  ...[
    // kube-proxy and kubelet try again what fails; the run does not wait for them
    { tool: 'iptables-restore', lab: 'kube-proxy-watch', args: '*"--noflush --counters"' },
    { tool: 'ip', lab: 'session-affinity', args: '*/ip/pods/*' },
  ].map(({ tool, lab, args }) => ({ tool, lab, script: hangsInChange(tool, args) })),
]

t.setTimeout(900_000)

fault('faults/hungTools', 'a tool hangs', { skip: cannotRun, timeout: 900_000 }, async (t, row) => {
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

fault('faults/hungTools', 'a tool hangs in a lab that is up', { skip: cannotRun }, async (t, row) => {
  const startLab = async (tool: string, script: string, isHolders: boolean) => {
    const path = copyOfLab(t, 'nodeport')
    const bin = join(path, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, tool), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
    t.teardown(() => vethlab(['down', basename(path)]))
    t.equal((await vethlab(['up', path], isHolders ? { env } : {})).code, 0)
    return { lab: basename(path), env }
  }
  const hung = async (tool: string, verb: string, args: readonly string[], env: Record<string, string>) => {
    const { code, stderr } = await vethlab([verb, ...args], { env })
    row.ended(code, stderr)
    t.match(stderr, new RegExp(` hangs: \`${tool} .*is not done after \\d+ s`), verb)
  }
  const captured = await startLab('tcpdump', hangs, false)
  const changed = await startLab(
    'iptables-restore',
    hangsInChange('iptables-restore', '*"--noflush --counters"'),
    true,
  )
  await Promise.all([
    hung('tcpdump', 'view', [captured.lab], captured.env),
    hung('tcpdump', 'capture', [captured.lab, 'client'], captured.env),
    hung('iptables-restore', 'scale', [changed.lab, 'deployment/my-app', '--replicas=3'], changed.env),
  ])
})
