import about from '../package.json' with { type: 'json' }

/** The version of vethlab, which is that of its package. */
export function version(): string {
  return about.version
}

/** Defined by scripts/build.mjs. */
declare const vethlabBuild: string | undefined

/** The commit that was built, with a `+` if its sources were changed; `unknown` without git, undefined if the sources run. */
export function build(): string | undefined {
  return typeof vethlabBuild === 'undefined' ? undefined : vethlabBuild
}
