import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs the built command line, or with `inside` a shell text around it, in which "$@" stands for it. */
export function vethlab(
  args: readonly string[],
  options: {
    readonly cwd?: string
    readonly inside?: readonly string[]
    /** Variables beside those of the test. */
    readonly env?: Readonly<Record<string, string>>
  } = {},
) {
  const [file = '', ...rest] = [
    ...(options.inside ?? []),
    process.execPath,
    join(process.cwd(), 'dist/cli.cjs'),
    ...args,
  ]
  const { status, stdout, stderr } = spawnSync(file, rest, {
    encoding: 'utf8',
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  })
  return { code: status, stdout, stderr }
}
