/** A minor version of Kubernetes, such as 1.30: its minor number. All releases since 2015 have major number 1. */
export type MinorVersion = number

/** The kube-proxy that is imitated unless another version is chosen: the one whose rules are recorded. */
export const defaultVersion: MinorVersion = 36

/** The versions for which a lab or a step is written; each end is part of the range, and may be open. */
export interface VersionRange {
  /** `1.31` */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What `kube-proxy --version` prints, such as `Kubernetes v1.30.5`, as a minor version; undefined for other texts. */
export function parseVersion(text: string): MinorVersion | undefined {
  const minor = /^Kubernetes v1\.(\d+)(?:\.|$)/m.exec(text)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

/** The versions of a range, as text, if a version is not one of them; undefined if it is. */
export function whyNotInRange(version: MinorVersion, { from, to }: VersionRange): string | undefined {
  if ((from === undefined || version >= minorOf(from)) && (to === undefined || version <= minorOf(to)))
    return undefined
  if (to === undefined) return `kube-proxy ${from} and later`
  return from === undefined ? `kube-proxy ${to} and earlier` : `kube-proxy ${from} to ${to}`
}

/** `1.31` */
export function versionText(version: MinorVersion): string {
  return `1.${version}`
}

/** 31 for `1.31`. */
export function minorOf(written: string): MinorVersion {
  return Number(written.slice(written.indexOf('.') + 1))
}
