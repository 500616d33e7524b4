import about from '../package.json' with { type: 'json' }

/** The version of vethlab, which is that of its package. */
export function version(): string {
  return about.version
}
