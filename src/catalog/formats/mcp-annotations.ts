import { isJsonObject } from '../../domain/json.ts'
import type { ToolAnnotations } from '../../domain/card.ts'

/** The hints of an MCP tool; undefined when none is stated. A hint that is not stated stays unknown. */
export function mcpAnnotations(published: unknown): ToolAnnotations | undefined {
  if (!isJsonObject(published)) return undefined
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = published
  const stated = {
    ...(typeof readOnlyHint === 'boolean' ? { readOnly: readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructive: destructiveHint } : {}),
    ...(typeof idempotentHint === 'boolean' ? { idempotent: idempotentHint } : {}),
    ...(typeof openWorldHint === 'boolean' ? { openWorld: openWorldHint } : {}),
  }
  return Object.keys(stated).length === 0 ? undefined : stated
}
