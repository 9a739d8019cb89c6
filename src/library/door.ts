import { once } from '../domain/once.ts'
import { RemedyError } from '../domain/remedy-error.ts'

/** What a program gave cannot be met. The message says what of it and why; the remedy shows a call that is right. */
export class ArgumentError extends RemedyError {
  override readonly name = 'ArgumentError'
}

/** Something was asked of a library after it was closed. */
export class ClosedError extends RemedyError {
  override readonly name = 'ClosedError'
}

type Method = (...given: never[]) => Promise<unknown>

/** The same methods, which refuse whatever is asked after `close`; to close again does nothing. */
export function untilClosed<Methods extends { close(): Promise<void> }>(methods: Methods): Methods {
  let isClosed = false
  const guarded = Object.entries(methods as { readonly [name: string]: Method }).map(([name, method]) => {
    const asked: Method = async (...given) => {
      if (!isClosed) return method(...given)
      const remedy = 'Open another one with openAudition(), and close it when all is asked.'
      throw new ClosedError(`${name}() was asked of a library that is closed.`, remedy)
    }
    return [name, asked]
  })
  const closed = once(() => methods.close())
  const close = (): Promise<void> => {
    isClosed = true
    return closed()
  }
  return { ...(Object.fromEntries(guarded) as Methods), close }
}
