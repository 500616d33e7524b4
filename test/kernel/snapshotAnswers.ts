import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { ModeName } from '../../src/agents/kubeProxy/config.js'
import { copyOfLab } from './commandLine.js'
import { cannotIpvs } from './ipvsAbility.js'
import { vethlab } from './servedCommands.js'

/** Checks that a snapshot of a running lab answers as the lab does, about at most so many requests in each mode. */
export async function checkSnapshot(
  t: Test,
  lab: string,
  modes: readonly ModeName[],
  most: number,
): Promise<void> {
  const path = copyOfLab(t, lab)
  const name = basename(path)
  const file = join(path, 'snapshot.json')
  t.teardown(() => vethlab(['down', name]))
  const { clients, steps } = prepareLab(lab).lab
  const requests = steps.flatMap(({ from = clients[0]?.name ?? '', action }) =>
    action.kind === 'curl' ? [[from, action.url] as const] : [],
  )
  for (const mode of modes) {
    if (mode === 'ipvs' && cannotIpvs !== false) continue
    const up = await vethlab(['up', path, '--mode', mode])
    // a lab is written for some modes
    if (up.code === 2) continue
    t.equal(up.code, 0, up.stderr)
    const taken = await vethlab(['snapshot', name, '-o', file])
    t.equal(taken.code, 0, taken.stderr)
    for (const [from, url] of requests.slice(0, most)) {
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
    const isCompared = mode !== 'userspace'
    const differences = await vethlab(['diff', file])
    t.equal(differences.code, isCompared ? 0 : 2, `${mode}: ${differences.stdout}${differences.stderr}`)
    const explained = await vethlab(['rules', file, node])
    t.equal(explained.code, isCompared ? 0 : 2, explained.stderr)
    t.equal((await vethlab(['down', name])).code, 0)
  }
}
