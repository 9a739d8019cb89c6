import type { CardKind } from '../../../domain/card.ts'
import type { CardColumns } from '../../../retrieval/index/card-columns.ts'
import type { CardFilter } from '../../../retrieval/index/card-filter.ts'
import { normalTag } from '../../../retrieval/index/catalog-counts.ts'
import { among, quoted } from '../schemas.ts'

/**
 * A filter as the engine's SQL: the same cards as `CardColumns.admit` admits.
 *
 * @param values - what words for servers mean
 */
export function filterSql(
  filter: CardFilter,
  { kind, values }: { readonly kind: CardKind; readonly values: CardColumns['values'] },
): string {
  const { sources, tags, agentKinds, servers, hasRuntime, readOnly, exclude, only } = filter
  const { table, meant } = values.servers
  const conditions = [
    sources?.length ? `source ${among(sources)}` : null,
    tags?.length ? `array_has_any(tags, [${tags.map((tag) => quoted(normalTag(tag))).join(', ')}])` : null,
    kind === 'agent' && agentKinds?.length ? `agent_kind ${among(agentKinds)}` : null,
    kind === 'tool' && servers?.length
      ? amongOrNone(
          'server',
          servers.flatMap(meant).map((place) => table.at(place)),
        )
      : null,
    hasRuntime === undefined ? null : `runnable = ${hasRuntime}`,
    readOnly === undefined ? null : `read_only = ${readOnly}`,
    exclude?.length ? `NOT (id ${among(exclude)})` : null,
    only === undefined ? null : amongOrNone('id', only),
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? 'true' : conditions.join(' AND ')
}

const amongOrNone = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} ${among(values)}`
