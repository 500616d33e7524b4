import { relative } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** The words with which this user calls vethlab here: `vethlab`, `npx vethlab`, or with npm in or outside a clone. */
export function calledAs(env: Environment = process.env): readonly string[] {
  const { npm_config_local_prefix: clone = '', INIT_CWD: here = clone } = env
  const isInside = !relative(clone, here).startsWith('..')
  return isInside && isCheckout(env) ? ['npm', 'run', 'vethlab', '--'] : anywhere(env)
}

/** The words that call this vethlab in any folder. */
export function anywhere(env: Environment = process.env): readonly string[] {
  if (isCheckout(env))
    return ['npm', '--prefix', env['npm_config_local_prefix'] ?? '.', 'run', '--silent', 'vethlab', '--']
  // npx is `npm exec`
  return env['npm_command'] === 'exec' ? ['npx', 'vethlab'] : ['vethlab']
}

/** The words with which this user runs a lab. */
export function runsAs(env: Environment = process.env): readonly string[] {
  return [...calledAs(env), 'run']
}

function isCheckout({ npm_lifecycle_event: script }: Environment): boolean {
  return script === 'vethlab' || script === 'lab'
}
