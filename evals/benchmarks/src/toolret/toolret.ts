import { join } from 'node:path'
import { countOf } from '../../../../src/domain/text/count-of.ts'
import {
  assembled,
  chosenSettings,
  type Dataset,
  type DatasetRecipe,
  type DatasetSetting,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { devSets } from './dev-sets.ts'
import { fingerprintOf } from '../../../../src/evaluation/datasets/files.ts'
import { manifestOf } from '../manifest.ts'
import {
  queryFile,
  readToolretRivals,
  readToolretSet,
  type Splits,
  toolretSetNames,
} from './toolret-folders.ts'
import { leftOut } from './toolret-records.ts'
import { holdsReleasedToolret, readReleasedToolret } from './toolret-released.ts'

const settings: readonly DatasetSetting[] = [
  {
    name: 'splits',
    describes: 'Of a set that its publishers split: the part for evaluation, or all queries',
    values: ['evaluation', 'all'],
  },
  {
    name: 'distractors',
    describes:
      'Tools that no query here asks for: left out, those of sets without queries joined to the corpus, or those of all other sets too',
    values: ['leave-out', 'join', 'all'],
  },
]

/**
 * ToolRet, and tool sets in its shape. Two layouts are read: a folder per set with `queries.jsonl` and `tools.jsonl`,
 * and the form released on the data hub, queries by task and tools by category.
 *
 * @see Shi et al., Retrieval Models Aren't Tool-Savvy, Findings of ACL 2025
 */
export const toolret: DatasetRecipe = {
  name: 'toolret',
  describes:
    'ToolRet and tool sets in its shape: folders of queries.jsonl and tools.jsonl, or the released tables',
  settings,
  recognises: (path) => holdsSets(path) || holdsReleasedToolret(path),
  async read(path, only, given) {
    const values = chosenSettings('toolret', settings, given)
    if (!holdsSets(path) && holdsReleasedToolret(path))
      return readReleasedToolret(path, only, values.get('distractors')!)
    return readSets('toolret', path, only, values)
  },
}

/** The 26 sets on which this project reads its quality; see {@link devSets}. */
export const toolretDev: DatasetRecipe = {
  name: 'toolret-dev',
  describes: 'The 26 development sets among the tool sets of a folder in the shape of ToolRet',
  settings,
  recognises: (path) => holdsSets(path),
  async read(path, only, given) {
    const here = toolretSetNames(path).names
    const present = devSets.filter((name) => here.includes(name))
    const wanted = wantedNames('toolret-dev', present, only)
    const dataset = readSets(
      'toolret-dev',
      path,
      wanted,
      chosenSettings('toolret-dev', settings, given),
      wanted,
    )
    const absent = devSets.filter((name) => !present.includes(name))
    const note = `Not all development sets are here: ${absent.join(', ')} absent; averages do not compare.`
    return absent.length === 0 ? dataset : { ...dataset, notes: [...dataset.notes, note] }
  },
}

const holdsSets = (path: string): boolean => {
  const { root, names } = toolretSetNames(path)
  return names.some((name) => queryFile(join(root, name)) !== undefined)
}

/** @param order - the order of the parts; by name when absent */
function readSets(
  recipe: string,
  path: string,
  only: readonly string[],
  values: ReadonlyMap<string, string>,
  order?: readonly string[],
): Dataset {
  const { root, names } = toolretSetNames(path)
  const withQueries = names.filter((name) => queryFile(join(root, name)) !== undefined)
  const wanted = order ?? wantedNames(recipe, withQueries, only)
  const joins = (distractors: string, name: string): boolean =>
    distractors === 'all' ? !wanted.includes(name) : distractors === 'join' && !withQueries.includes(name)
  const rivals = names.filter((name) => joins(values.get('distractors')!, name))
  const sets = wanted.map((name) => readToolretSet(root, name, values.get('splits') as Splits))
  const others = rivals.map((name) => readToolretRivals(root, name))
  const parts = [...sets, ...others].map(({ part }) => part)
  const files = [...sets, ...others].flatMap((set) => set.files)
  return assembled(
    {
      name: recipe,
      origin: `folders in the shape of ToolRet, ${countOf(wanted.length, 'set')} (sha256 ${fingerprintOf(files)})`,
      parts,
      headline: manifestOf('toolret').measures,
      notes: [
        ...leftOut(sets),
        ...(rivals.length === 0 ? [] : [`Tools of ${rivals.join(', ')} join the corpus.`]),
      ],
    },
    path,
  )
}
