/** The text of a manifest file, and its path for messages. */
export interface ManifestFile {
  readonly path: string
  readonly text: string
}
