import { basename } from 'node:path'
import { sourceIdOf } from '../../catalog/identity.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { CardKind } from '../../domain/card.ts'
import type { DatasetPart, DatasetRecipe, DatasetSetting } from './dataset.ts'
import { assembled, counted, wantedNames } from './assemble.ts'
import { fingerprintOf } from './files.ts'
import { isFile } from '../../domain/paths/what-stands.ts'
import { looksLikeOwnQueries, ownRows } from './own-query-rows.ts'
import { mergedQueries } from './own-query-merge.ts'
import { chosenSettings } from './settings.ts'

const settings: readonly DatasetSetting[] = [
  {
    name: 'kind',
    describes: 'What queries without a "kind" of their own look for',
    values: ['tool', 'agent'],
  },
]

/**
 * A user's own queries over their own index: JSON Lines, JSON, CSV or TSV with the columns `query` and `expected` (card
 * ids; several as a list or separated by `|`), and perhaps `grade` (one for all, or one per id), `id`, `group` and
 * `kind` (`tool` or `agent`). Rows of one id, or of one text without ids, are one query. A query that expects nothing
 * is right to end with "no good match".
 */
export const ownQueries: DatasetRecipe = {
  name: 'own-queries',
  describes: 'Your own queries with expected card ids (JSON Lines or CSV), asked of your own index',
  settings,
  recognises: (path) => isFile(path) && looksLikeOwnQueries(path),
  async read(path, only, given) {
    const kind = chosenSettings('own-queries', settings, given).get('kind') as CardKind
    const { queries, empty } = mergedQueries(path, ownRows(path), kind)
    const name = sourceIdOf(basename(path).replace(/\.(?:jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i, ''))
    const kinds = (['tool', 'agent'] as const).filter((each) => queries.some((query) => query.kind === each))
    const nameOf = (each: CardKind) => (kinds.length === 1 ? name : `${name} ${each}s`)
    const wanted = wantedNames('own-queries', kinds.map(nameOf), only)
    return assembled(
      {
        name,
        origin: `${countOf(queries.length, 'query', 'queries')} of ${basename(path)} (sha256 ${fingerprintOf([path])})`,
        parts: kinds
          .filter((each) => wanted.includes(nameOf(each)))
          .map(
            (each): DatasetPart => ({
              name: nameOf(each),
              kind: each,
              cards: [],
              queries: queries.filter((query) => query.kind === each).map(({ query }) => query),
            }),
          ),
        headline: ['ndcg@10', 'recall@10', 'mrr@10', 'completeness@10'],
        notes: counted(
          empty,
          'query expects nothing: it is right when the answer is "no good match".',
          'queries expect nothing: they are right when the answer is "no good match".',
        ),
      },
      path,
    )
  },
}
