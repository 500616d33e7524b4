declare const VETHLAB_VERSION: string

/** The version of vethlab, as the build has taken it from package.json. */
export function version(): string {
  return VETHLAB_VERSION
}
