/** The words with which this user calls vethlab: `vethlab`, `npx vethlab`, or in a clone `npm run vethlab --`. */
export function calledAs(env: Readonly<Record<string, string | undefined>> = process.env): readonly string[] {
  if (isCheckout(env)) return ['npm', 'run', 'vethlab', '--']
  // npx is `npm exec`
  return env['npm_command'] === 'exec' ? ['npx', 'vethlab'] : ['vethlab']
}

/** The words with which this user runs a lab. */
export function runsAs(env: Readonly<Record<string, string | undefined>> = process.env): readonly string[] {
  return isCheckout(env) ? ['npm', 'run', 'lab'] : [...calledAs(env), 'run']
}

function isCheckout({ npm_lifecycle_event: script }: Readonly<Record<string, string | undefined>>): boolean {
  return script === 'vethlab' || script === 'lab'
}
