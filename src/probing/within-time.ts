import { type Context, createContext, Script } from 'node:vm'

/** What was run did not end in its time. */
export class TimeSpentError extends Error {
  override readonly name = 'TimeSpentError'
}

const call = new Script('run()')
let realm: Context | undefined

/**
 * Runs what a stranger's text may keep busy for ever: a pattern, or a schema that refers to itself many times over. It is ended in the
 * middle, wherever it is, so it must not change anything that is looked at later.
 *
 * @param timeoutMs - of the clock; >= 1
 * @throws TimeSpentError when it has not ended by then; what `run` throws
 */
export function withinTime<T>(timeoutMs: number, run: () => T): T {
  realm ??= createContext(Object.create(null) as Context)
  Object.assign(realm, { run })
  try {
    return call.runInContext(realm, { timeout: timeoutMs }) as T
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause
    throw new TimeSpentError(`It did not end within ${timeoutMs} ms.`, { cause })
  }
}
