import { spawnSync } from 'node:child_process'
import t from 'tap'
import { vethlab } from './commandLine.js'
import { cannotIpvs } from './ipvsAbility.js'

const asked = process.env['VETHLAB_TEST_VM'] !== undefined
const skip = cannotIpvs !== false && !asked && `${cannotIpvs}; VETHLAB_TEST_VM=1 asks for a virtual machine`

/** Where this machine has IPVS, here; else in the virtual machine, whose exit code and output are the command's. */
async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  if (cannotIpvs === false) return vethlab(args)
  const argv = ['tsx', 'scripts/testVm.ts', ...args]
  const { status, stdout, stderr } = spawnSync('npx', argv, { encoding: 'utf8', timeout: 800_000 })
  return { code: status, stdout, stderr }
}

const labs = [['ipvs-schedulers'], ['nodeport', '--mode', 'ipvs']]

for (const lab of labs)
  t.test(`${lab.join(' ')} passes in mode ipvs`, { skip, timeout: 900_000 }, async (t) => {
    const { code, stdout, stderr } = await run('run', ...lab, '--reporter', 'tap')
    t.equal(code, 0, stderr)
    t.match(stdout, /^TAP version 14/)
    t.notMatch(stdout, /^ *not ok/m)
  })
