import { type Dataset, DatasetError, type DatasetPart, SettingError } from './dataset.ts'

/**
 * Completes a dataset: query ids that two parts share get their part's name in front, and a dataset without a query is
 * refused.
 *
 * @param place - the folder or file, for the error
 * @throws DatasetError when no part has a query
 */
export function assembled(dataset: Dataset, place: string): Dataset {
  if (dataset.parts.every(({ queries }) => queries.length === 0)) {
    throw new DatasetError(
      `${place}: no judged query was found for ${dataset.name}.`,
      'Check the folder, and the names of the parts if some were named.',
    )
  }
  return { ...dataset, parts: withUniqueQueryIds(dataset.parts) }
}

function withUniqueQueryIds(parts: readonly DatasetPart[]): readonly DatasetPart[] {
  const uses = new Map<string, number>()
  for (const { id } of parts.flatMap(({ queries }) => queries)) uses.set(id, (uses.get(id) ?? 0) + 1)
  if ([...uses.values()].every((count) => count === 1)) return parts
  return parts.map((part) => {
    const seen = new Map<string, number>()
    const queries = part.queries.map((query) => {
      if (uses.get(query.id) === 1) return query
      const id = `${part.name}/${query.id}`
      const copy = (seen.get(id) ?? 0) + 1
      seen.set(id, copy)
      return { ...query, id: copy === 1 ? id : `${id}~${copy}` }
    })
    return { ...part, queries }
  })
}

/**
 * The names among these that were asked for; all when none was.
 *
 * @throws SettingError when one is unknown
 */
export function wantedNames(
  recipe: string,
  names: readonly string[],
  only: readonly string[],
): readonly string[] {
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new SettingError(
      `${recipe} has no part ${unknown.map((name) => `"${name}"`).join(', ')} here.`,
      names.length === 0 ? 'Check the folder.' : `Parts: ${names.join(', ')}.`,
    )
  }
  return only.length === 0 ? names : names.filter((name) => only.includes(name))
}

/** A note when something was counted: none for 0. `1 query was …`, `3 queries were …`. */
export const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`]
