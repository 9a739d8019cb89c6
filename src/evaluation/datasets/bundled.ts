import { join, resolve } from 'node:path'
import { z } from 'zod'
import { identify } from '../../catalog/identity.ts'
import { profileYaml } from '../../catalog/readers/profile-yaml.ts'
import type { Card, CardKind } from '../../domain/card.ts'
import type { Grades, Qrels } from '../../domain/ranking.ts'
import { assembled, DatasetError, type DatasetRecipe, type JudgedQuery, wantedNames } from './dataset.ts'
import { cardsOfServers } from './bundled-tools.ts'
import { fingerprintOf, jsonLinesOf, namesIn, openFile } from './files.ts'
import { isFile, isFolder } from '../../domain/paths.ts'

const queryRecord = z.strictObject({
  id: z.string().min(1),
  part: z.string(),
  group: z.string(),
  /** ISO 639-1; English when absent. */
  language: z.string().length(2).optional(),
  text: z.string().min(1),
  /** One list per thing that is needed, any member of which serves. */
  needs: z.array(z.array(z.string()).min(1)).min(1).optional(),
})

/** One line of our own `queries.jsonl`. */
type QueryRecord = z.infer<typeof queryRecord>

/**
 * Reads our own queries, one JSON object a line.
 *
 * @throws DatasetError that names file, line and field
 */
export function readQueryRecords(file: string): readonly QueryRecord[] {
  const ids = new Set<string>()
  return jsonLinesOf(file).map((line, index) => {
    const refuse = (message: string): never => {
      throw new DatasetError(
        `${file}, record ${index + 1}: ${message}.`,
        'Write {"id": "q1", "part": "...", "group": "...", "text": "...", "needs": [["id", "alternative"]]}.',
      )
    }
    const { data, error } = queryRecord.safeParse(line)
    if (data === undefined) {
      const [issue] = error.issues
      return refuse(`${issue?.path.join('.') || 'the record'}: ${issue?.message}`)
    }
    if (ids.has(data.id)) refuse(`repeats the id "${data.id}"`)
    ids.add(data.id)
    return data
  })
}

/**
 * Reads judgements in BEIR's form: `query-id`, `corpus-id` and `score` between tabs, under a header.
 *
 * @throws DatasetError that names file and line, also when a candidate is judged twice for one query
 */
function readQrelsTable(file: string): Qrels {
  const qrels = new Map<string, Map<string, number>>()
  const refuse = (line: number, message: string): never => {
    throw new DatasetError(
      `${file}, line ${line}: ${message}.`,
      'Write query-id, corpus-id and a whole number from 0, with tabs between, under a header.',
    )
  }
  for (const [index, line] of openFile(file).text.split(/\r?\n/).entries()) {
    if (line === '') continue
    if (index === 0) {
      if (line !== 'query-id\tcorpus-id\tscore') refuse(1, 'not the header')
      continue
    }
    const [query = '', candidate = '', grade = '', ...more] = line.split('\t')
    if (query === '' || candidate === '' || !/^\d{1,6}$/.test(grade) || more.length > 0)
      refuse(index + 1, 'not an id, an id and a grade')
    const grades = qrels.get(query) ?? new Map<string, number>()
    if (grades.has(candidate)) refuse(index + 1, `judges "${candidate}" of "${query}" a second time`)
    qrels.set(query, grades.set(candidate, Number(grade)))
  }
  return qrels
}

/** The source that the bundled profiles get when `catalog/profiles` is indexed. */
const profileSource = 'catalog-profiles'
/** The grade of a candidate that does the job; 1 is one that helps. */
const serves = 2

const kinds: { readonly [part: string]: CardKind } = { 'bundled-tools': 'tool', 'bundled-agents': 'agent' }
const files = ['queries.jsonl', 'qrels.tsv', 'tools.jsonl']

/**
 * Our own queries over the bundled catalog: everyday words, jobs of several steps, vague goals, nine other languages,
 * and needs that nothing in the catalog serves. Grade 2 does the job, 1 helps. Both parts search the whole catalog,
 * tools and agents, as a user's index holds it.
 */
export const bundled: DatasetRecipe = {
  name: 'bundled',
  describes: 'Our own queries over the bundled catalog: plain words, steps, vague goals, languages, no fit',
  recognises: (path) =>
    isFolder(path) &&
    files.every((file) => isFile(join(path, file))) &&
    isFile(join(catalogOf(path), 'mcp.json')),
  async read(path, only) {
    const names = wantedNames('bundled', Object.keys(kinds), only)
    const catalog = catalogOf(path)
    const cards = [...cardsOfServers(catalog, join(path, 'tools.jsonl')), ...profileCards(catalog)]
    const records = readQueryRecords(join(path, 'queries.jsonl'))
    const qrels = readQrelsTable(join(path, 'qrels.tsv'))
    refuseUnknown(path, { records, qrels, cards })
    const fingerprint = fingerprintOf([...files.map((file) => join(path, file)), ...profileFiles(catalog)])
    const dataset = {
      name: 'bundled',
      origin: `our own queries, evals/bundled, fingerprint ${fingerprint}`,
      parts: names.map((name) => ({
        name,
        kind: kinds[name]!,
        cards,
        queries: records
          .filter(({ part }) => part === name)
          .map((record) => judgedQuery(record, qrels.get(record.id) ?? new Map())),
      })),
      headline: ['ndcg@10', 'completeness@10', 'recall@10', 'mrr@10'],
      notes: [
        'Completeness asks for one candidate of grade 2 per step, and for one when the job has no steps.',
      ],
    }
    return assembled(dataset, path)
  },
}

/** `evals/bundled` and `catalog` lie in the same package. */
const catalogOf = (path: string): string => resolve(path, '..', '..', 'catalog')

const profileFiles = (catalog: string): readonly string[] =>
  namesIn(join(catalog, 'profiles'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(catalog, 'profiles', name))

function profileCards(catalog: string): readonly Card[] {
  const drafts = profileFiles(catalog).flatMap((location) => {
    const { cards, problems } = profileYaml.read(openFile(location))
    const [problem] = problems
    if (problem) throw new DatasetError(`${location}: ${problem.message}.`, problem.remedy)
    return cards.map((draft) => ({ draft, origin: { reader: profileYaml.name, location } }))
  })
  return identify(profileSource, drafts).cards
}

function judgedQuery({ id, text, group, needs }: QueryRecord, grades: Grades): JudgedQuery {
  const serving = [...grades].filter(([, grade]) => grade >= serves).map(([candidate]) => candidate)
  const asked = needs ?? (serving.length > 0 ? [serving] : undefined)
  return { id, text, grades, group, ...(asked === undefined ? {} : { needs: asked }) }
}

/** A label that names no card, or a query of no part, would silently change every figure. */
function refuseUnknown(
  path: string,
  {
    records,
    qrels,
    cards,
  }: { readonly records: readonly QueryRecord[]; readonly qrels: Qrels; readonly cards: readonly Card[] },
): void {
  const kindOf = new Map(cards.map(({ id, kind }) => [id, kind]))
  const partOf = new Map(records.map(({ id, part }) => [id, part]))
  const wrong = [
    ...records
      .filter(({ part }) => !(part in kinds))
      .map(({ id, part }) => `${id} belongs to no part "${part}"`),
    ...[...qrels].flatMap(([query, grades]) => {
      const part = partOf.get(query)
      if (part === undefined) return [`${query} is judged but not asked`]
      return [...grades.keys()]
        .filter((candidate) => kindOf.get(candidate) !== kinds[part])
        .map((candidate) => `${query} judges "${candidate}", which is no ${kinds[part]} of the catalog`)
    }),
    ...records.flatMap(({ id, needs = [] }) =>
      needs
        .flat()
        .filter((candidate) => (qrels.get(id)?.get(candidate) ?? 0) < serves)
        .map((candidate) => `${id} needs "${candidate}", which has no grade ${serves}`),
    ),
  ]
  const [first, ...others] = wrong
  if (first === undefined) return
  const rest = others.length === 0 ? '' : ` (and ${others.length} more like it)`
  throw new DatasetError(`${path}: query ${first}${rest}.`, 'Correct queries.jsonl or qrels.tsv.')
}
