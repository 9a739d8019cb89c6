/** A function that makes its value at the first call and gives the same one ever after. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What is opened on first use; a failure is forgotten, so that the next call tries again. */
export function opener<T>(open: () => Promise<T>): (() => Promise<T>) & { opened(): Promise<T> | null } {
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
