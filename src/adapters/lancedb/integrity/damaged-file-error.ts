/** A file of the store is not what it was when it was written, or a version that was written is gone. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  /** Whether it is a manifest, which says what all other files of its table are. */
  readonly isManifest: boolean
  constructor(message: string, isManifest: boolean) {
    super(message)
    this.isManifest = isManifest
  }
}
