import type { ServerContext } from '@modelcontextprotocol/server'
import type { ToolContext } from './tool.ts'

/** Progress goes to callers who asked for it; one who went away misses nothing. */
export function progressOf({ _meta, notify }: ServerContext['mcpReq']): Pick<ToolContext, 'progress'> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return {}
  let done = Number.NEGATIVE_INFINITY
  return {
    progress(progress, total, message) {
      // What others say of themselves may fall or stand still; the protocol wants it to rise.
      if (!(progress > done)) return
      done = progress
      const params = { progressToken, progress, total, message }
      notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}
