/** Runs once, on first use; a failure is forgotten so that the next call tries again. */
export function once<T>(open: () => Promise<T>): (() => Promise<T>) & { opened(): Promise<T> | null } {
  let opened: Promise<T> | null = null
  const get = (): Promise<T> => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  return Object.assign(get, { opened: () => opened })
}
