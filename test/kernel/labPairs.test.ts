import t from 'tap'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { cannotIpvs } from './ipvsAbility.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'

/**
 * With labs.test.ts (iptables-nft, IPv4), run.test.ts (iptables-legacy, IPv4), compare.test.ts (nftables, IPv4) and
 * userspaceLab.test.ts (both backends and families), each pair of mode, backend and family is run once.
 */
const runs = [
  { mode: 'iptables', backend: 'nft', skip: false },
  { mode: 'iptables', backend: 'legacy', skip: false },
  { mode: 'nftables', backend: 'legacy', skip: cannotLoadNft() },
  { mode: 'ipvs', backend: 'legacy', skip: cannotIpvs },
] as const

for (const { mode, backend, skip } of runs)
  t.test(
    `the nodeport lab passes in IPv6, in mode ${mode} with iptables-${backend}`,
    { skip: cannotRun || skip },
    async (t) => {
      const options = ['--mode', mode, '--iptables', backend, '--families', 'IPv6']
      const { code, stdout, stderr } = await vethlab(['run', 'nodeport', ...options, '--reporter', 'json'])
      t.equal(code, 0, `${stdout}${stderr}`)
      const result = JSON.parse(stdout) as LabResult
      t.equal(result.mode, mode)
      t.equal(result.machine.backend, backend)
      const flows = result.steps.flatMap((step) => step.flows)
      t.ok(flows.length > 0, 'packets are seen')
      for (const { source } of flows) t.match(source.address, ':', 'they are of IPv6')
    },
  )
