/** The text of a file of manifests, and its path as messages name it. */
export interface ManifestFile {
  readonly path: string
  readonly text: string
}
