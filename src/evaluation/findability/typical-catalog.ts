import { jsonLinesOf } from '../datasets/files.ts'
import type { SearchedTool } from '../host-rankers/host-ranker.ts'

/** The 200 tools of 30 servers that ship with the package, as somebody may have them beside one's own. */
export const typicalCatalog = (path: string): readonly SearchedTool[] =>
  jsonLinesOf(path) as unknown as readonly SearchedTool[]
