/** How downloads are made. Everything has a default. */
export type DownloadOptions = {
  /** In place of the public hubs: mirrors, and servers of tests. Without a slash at the end. */
  readonly addresses?: { readonly huggingface?: string; readonly github?: string }
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: DownloadProgress) => void
  /** Makes the requests, and refuses those that must not be made. */
  readonly fetch: typeof globalThis.fetch
  /** Longest silence of a server, in milliseconds. @defaultValue 60000 */
  readonly idleTimeoutMs?: number
  /** Wait before the second attempt, in milliseconds; doubled for each further one. @defaultValue 1000 */
  readonly retryDelayMs?: number
}

/** How far a download is. */
export type DownloadProgress = {
  /** The file that made progress, relative to the benchmark's folder. */
  readonly file: string
  readonly files: number
  readonly filesDone: number
  readonly receivedBytes: number
  /** Null while the size of some file is not known. */
  readonly totalBytes: number | null
}
