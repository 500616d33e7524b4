import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotIpvs } from './ipvsAbility.js'

const asked = process.env['VETHLAB_TEST_VM'] !== undefined

/** Why no script can be run on a kernel with IPVS, for `skip`; false where one can. */
export const cannotReachIpvs: string | false =
  cannotIpvs !== false && !asked && `${cannotIpvs}; VETHLAB_TEST_VM=1 asks for a virtual machine`

/**
 * Runs a shell script where the built command line is `node dist/cli.cjs` and the kernel has IPVS: on this machine, or in
 * the virtual machine, whose output and exit code are the script's.
 */
export function runOnIpvs(script: string, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-ipvs-'))
  try {
    const file = join(folder, 'script.sh')
    writeFileSync(file, script)
    const [program, ...args] =
      cannotIpvs === false
        ? (['sh', file] as const)
        : (['npx', 'tsx', 'scripts/testVm.ts', '--timeout', String(seconds), '--script', file] as const)
    return spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 2 ** 28,
      timeout: (seconds + 600) * 1000,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a script printed between lines such as `=== title`, by title. */
export function sectionsOf(stdout: string): ReadonlyMap<string, string> {
  const [, ...parts] = `\n${stdout}`.split('\n=== ')
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return end < 0 ? [part, ''] : [part.slice(0, end), part.slice(end + 1)]
    }),
  )
}

/** A command that leaves a text in a file, for sh. */
export function writeFile(path: string, text: string): string {
  return `cat >'${path}' <<'END-OF-FILE'\n${text}\nEND-OF-FILE\n`
}
