import { mkdir, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../../../src/domain/json.ts'
import { jsonLinesOf } from '../../../../../src/evaluation/datasets/files.ts'
import type {
  BuiltRecommendations,
  RecommendBuildOptions,
} from '../../../../../src/compose/parts/recommender.ts'
import { TrainingError } from '../../training-error.ts'
import { labelSets } from './label-sets.ts'
import { composedPart } from './part-three.ts'
import { modelsPart } from './part-one.ts'
import type { Part } from './parts.ts'
import { toolkitsPart } from './part-two.ts'
import { statisticsOf } from './statistics.ts'
import type { EmbedTexts } from './text-vectors.ts'

const defaults = { perSet: 1500, prototypes: 3000 }

/**
 * Makes a dataset of recommendations of what is at hand, in the layout of AgentSelect: Part I of tables of outcomes, Part II of sets of
 * labels, Part III of both.
 *
 * @throws TrainingError when the folder is there already, or there is nothing to build from
 * @throws DatasetError for files that hold no outcomes or labels
 */
export async function buildRecommendations(options: RecommendBuildOptions): Promise<BuiltRecommendations> {
  const { outcomes = [], sets = [], out, model } = options
  const { perSet = defaults.perSet, prototypes = defaults.prototypes } = options
  if (outcomes.length === 0 && sets.length === 0)
    throw new TrainingError('There is nothing to build from.', 'Give tables of outcomes, or folders of sets.')
  if (existsSync(out)) throw new TrainingError(`${out}: is there already.`, 'Give another folder with --out.')
  const plain = model?.plain ?? model
  const embed: EmbedTexts = async (texts) => {
    if (plain !== null) return plain.embed(texts, 'query', options.signal)
    throw new TrainingError('Queries are compared by a model, and there is none.', 'Unset AUDITION_MODEL.')
  }
  const drawing = { budget: prototypes, embed }
  const first = outcomes.length === 0 ? null : await modelsPart(outcomes, drawing)
  const second = sets.length === 0 ? null : toolkitsPart(await labelSets(options), perSet)
  const third = first && second && (await composedPart(first.part, second.part, drawing))
  const parts = [first?.part, second?.part, third?.part].filter((part) => part !== undefined && part !== null)
  for (const part of parts) await writePart(out, part)
  if (second) await writeTable(out, 'Tools', described(second.tools))
  if (first) await writeTable(out, 'LLMs', described(modelTexts(first.part, options.models)))
  const built = {
    folder: out,
    statistics: parts.map(statisticsOf),
    unserved: first?.unserved ?? 0,
    alone: third?.alone ?? 0,
  }
  await writeFile(join(out, 'statistics.json'), `${JSON.stringify(built.statistics, null, 2)}\n`)
  return built
}

function modelTexts({ profiles }: Part, file: string | undefined): ReadonlyMap<string, string> {
  const descriptions = new Map(
    (file === undefined ? [] : jsonLinesOf(file)).map(({ model, description }) => [model, description]),
  )
  return new Map(profiles.map(({ backbone }) => [backbone!, String(descriptions.get(backbone!) ?? '')]))
}

const described = (texts: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries([...texts].map(([name, description]) => [name, { description }]))

async function writePart(out: string, { name, profiles, questions }: Part): Promise<void> {
  const agents = profiles.map(({ id, backbone, tools }) => [
    id,
    { M: backbone === null ? {} : { name: backbone }, T: { tools: [...tools] }, C: {} },
  ])
  const asked = questions.map(({ id, text }) => [id, { input: text, output: '' }])
  const rankings = Object.fromEntries(questions.map(({ id, ranking }) => [id, [...ranking]]))
  await writeTable(out, `${name}/agents`, Object.fromEntries(agents))
  await writeTable(out, `${name}/questions`, Object.fromEntries(asked))
  await writeTable(out, `${name}/rankings`, { task: name, question_count: questions.length, rankings })
}

async function writeTable(out: string, folder: string, table: JsonObject): Promise<void> {
  await mkdir(join(out, folder), { recursive: true })
  await writeFile(join(out, folder, 'merge.json'), `${JSON.stringify(table, null, 1)}\n`)
}
