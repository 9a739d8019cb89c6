import type { Audition } from '../../compose/audition.ts'

/** Time a host gets to settle its handshake before the store takes the processor, in milliseconds. */
const delayMs = 250

/**
 * Opens the store in the background, so that the first search need not wait for it. What fails (nothing indexed yet)
 * is told by the call that needs the store.
 */
export function warmUp(app: Audition): void {
  setTimeout(() => {
    const open = async () => app.counts()
    open().catch(() => undefined)
  }, delayMs).unref()
}
