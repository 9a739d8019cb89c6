import type { ToolCard } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { SearchedTool } from '../../evaluation/host-rankers/host-ranker.ts'
import type { Audition } from '../audition.ts'

/** Most tools that are read of one source. */
const mostTools = 10_000

/**
 * The tools of a source of the index, as hosts list them.
 *
 * @param as - the name under which hosts have the server. @defaultValue what the cards say
 * @throws RemedyError when it has none
 */
export async function toolsOfSource(
  app: Pick<Audition, 'completeIds' | 'cards'>,
  source: string,
  as?: string,
): Promise<readonly SearchedTool[]> {
  const ids = await app.completeIds(`${source}/`, mostTools, 'tool')
  const cards = (await app.cards(ids)).filter((card) => card.kind === 'tool' && card.source === source)
  if (cards.length === 0)
    throw new RemedyError(`The source "${printableLine(source)}" has no tools.`, 'Name one that has.')
  return (cards as readonly ToolCard[]).map(({ name, title, description, inputSchema, server }) => ({
    ...{ name, description, server: as ?? server ?? source },
    ...(title === undefined ? {} : { title }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
  }))
}
