import { readFile, stat } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { textsIn } from '../../hosts/entry.ts'

/** A longer one is not read: the host waits. */
const mostBytes = 64 << 20

/** The lines of the session that an event belongs to; none when it is kept nowhere, or is very long. */
export async function transcriptOf({ transcript_path: path }: JsonObject): Promise<readonly string[]> {
  if (typeof path !== 'string') return []
  const size = await stat(path).then(
    ({ size }) => size,
    () => mostBytes,
  )
  return size < mostBytes ? (await readFile(path, 'utf8')).split('\n') : []
}

/** The tools that the host defers and has not loaded yet, by the names it gives them. */
export function deferredTools(lines: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  const loaded = new Set<string>()
  for (const line of lines) {
    for (const [, name = ''] of line.matchAll(/"tool_reference","tool_name":"([^"]+)"/g)) loaded.add(name)
    if (!line.includes('"deferred_tools_delta"')) continue
    const { attachment } = JSON.parse(line) as { readonly attachment?: unknown }
    if (!isJsonObject(attachment) || attachment.type !== 'deferred_tools_delta') continue
    for (const name of textsIn(attachment.addedNames)) names.add(name)
    for (const name of textsIn(attachment.removedNames)) names.delete(name)
  }
  for (const name of loaded) names.delete(name)
  return names
}
