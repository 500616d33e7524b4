import { basename, join } from 'node:path'
import t from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { modeNames } from '../../src/proxy/config.js'
import { isFull, runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { cannotIpvs } from './ipvsAbility.js'
import { vethlab } from './servedCommands.js'

/** Labs with one kind of path each; in `test:full` all labs, in each mode that they have. */
const first = ['nodeport', 'loadbalancer-cloud', 'pod-network-vxlan', 'session-affinity']
const all = listLabs().map((directory) => basename(directory))
const labs = isFull ? all : first

for (const lab of labs)
  t.test(`a snapshot of the running lab ${lab} answers as the lab does`, { skip: cannotRun }, async (t) => {
    const path = copyOfLab(t, lab)
    const name = basename(path)
    const file = join(path, 'snapshot.json')
    t.teardown(() => vethlab(['down', name]))
    const { clients, steps } = prepareLab(lab).lab
    const requests = steps.flatMap(({ from = clients[0]?.name ?? '', action }) =>
      action.kind === 'curl' ? [[from, action.url] as const] : [],
    )
    const modes = isFull ? modeNames : (['iptables', 'nftables'] as const)
    for (const mode of modes) {
      if (mode === 'ipvs' && cannotIpvs !== false) continue
      const up = await vethlab(['up', path, '--mode', mode])
      // a lab is written for some modes
      if (up.code === 2) continue
      t.equal(up.code, 0, up.stderr)
      const taken = await vethlab(['snapshot', name, '-o', file])
      t.equal(taken.code, 0, taken.stderr)
      for (const [from, url] of requests.slice(0, runs(20, 3))) {
        const [live, saved] = await Promise.all([
          vethlab(['why', name, from, url, '--json']),
          vethlab(['why', file, from, url, '--json']),
        ])
        t.equal(saved.stdout, live.stdout, `${mode}: ${from} → ${url}`)
        t.equal(saved.code, live.code, saved.stderr)
        t.equal(saved.stderr, live.stderr)
        if (live.code === 2) continue
        const traced = await vethlab(['trace', file, from, url, '--json'])
        t.equal(traced.code, 0, traced.stderr)
        const { paths } = JSON.parse(traced.stdout) as { paths: { end: { kind: string } }[] }
        const { outcome } = JSON.parse(live.stdout) as { outcome: string }
        const isAnswered = paths.every(({ end }) => end.kind === 'answered')
        t.equal(isAnswered, outcome === 'passes' || outcome === 'small', `${mode}: trace ${from} → ${url}`)
      }
      const node = prepareLab(lab).topology.nodes[0]?.name ?? ''
      if (mode === 'iptables') {
        const differences = await vethlab(['diff', file, '--node', node])
        t.equal(differences.code, 0, differences.stdout + differences.stderr)
        const explained = await vethlab(['rules', file, node])
        t.equal(explained.code, 0, explained.stderr)
      }
      t.equal((await vethlab(['down', name])).code, 0)
    }
  })
