import { basename, dirname } from 'node:path'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import type { FoundSet } from './find-sets.ts'
import { knownSet, type SetUse, type Splits } from './splits.ts'

/** A set with what the splits say of it. */
export type PlannedSet = {
  readonly name: string
  readonly content: FoundSet['content']
  readonly found: FoundSet
  readonly use: SetUse
  readonly family: string
  readonly examplesAreQueries: boolean
}

/** A set with its use and family; one that the splits do not name is for training, in a family of its own. */
export function planned(found: FoundSet, splits: Splits): PlannedSet {
  const { name, content } = found
  const known = knownSet(splits, name)
  const ownFamily = found.content === 'agents' ? basename(dirname(found.file)) : name
  return {
    name,
    content,
    found,
    use: known?.use ?? 'train',
    family: known?.family ?? ownFamily,
    examplesAreQueries: known?.examples === 'are queries',
  }
}

/** @throws DatasetError when a family to leave out is neither in the splits nor that of a set that was found */
export function refuseUnknownFamilies(
  leaveOut: readonly string[],
  sets: readonly PlannedSet[],
  splits: Splits,
): void {
  const families = new Set([...Object.keys(splits.families), ...sets.map(({ family }) => family)])
  const unknown = leaveOut.find((family) => !families.has(family))
  if (unknown === undefined) return
  throw new DatasetError(
    `There is no family "${unknown}" to leave out.`,
    `Families: ${[...families].sort().join(', ')}.`,
  )
}
