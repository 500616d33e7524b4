import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Runs a command, the built command line by default, as the root of a user namespace that allows no more of them. */
export async function withoutUserNamespaces(
  args: readonly string[],
  {
    command = [process.execPath, resolve('dist/cli.cjs')],
    env = process.env,
  }: { command?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
) {
  const forbid = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
  const setUser = `setpriv --reuid 0 --regid 0 --clear-groups sh -c '${forbid}' sh`
  const argv = ['--user', '--keep-caps', '--mount', '--net', 'sh', '-c', mapped(setUser), 'sh']
  const child = spawn('unshare', [...argv, ...command, ...args], {
    env: { ...env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if ((await text(child.stdio[3] as Readable)) === 'map\n') {
    for (const map of ['uid_map', 'gid_map'])
      writeFileSync(`/proc/${child.pid ?? 0}/${map}`, '0 0 4294967295\n')
  }
  child.stdin.end('\n')
  const [stdout, stderr] = await said
  return { code: child.exitCode, stdout, stderr }
}

/**
 * A shell script that has its ids mapped, then becomes `command`. A shell whose ids are mapped while it starts can take its real
 * and its effective user for two users, and then gives up being root.
 */
function mapped(command: string): string {
  return `echo map >&3; exec 3>&-; read -r _; exec ${command} "$@"`
}
