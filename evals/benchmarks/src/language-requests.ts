import { grouped } from '../../../src/domain/grouped.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { isFile } from '../../../src/domain/paths.ts'
import {
  assembled,
  chosenSettings,
  DatasetError,
  type DatasetRecipe,
  type DatasetSetting,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import { fileIn, fingerprintOf, firstRecordOf, jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { judgedOver, kindOf, writtenCatalogs, writtenNotes } from './written-catalogs.ts'

const settings: readonly DatasetSetting[] = [
  { name: 'split', describes: 'Which requests are read', values: ['dev', 'train', 'all'] },
]

/**
 * Written queries told again in other languages. Each language is a part, one of tools and one of agents, and so are the
 * same requests in English; notes tell the figures of the others as shares of its. The catalogs lie as for the written
 * queries.
 */
export const languageRequests: DatasetRecipe = {
  name: 'language-requests',
  describes: 'Everyday requests for tools and agents in many languages, and in English (development split)',
  settings,
  recognises(path) {
    const file = requestFile(path)
    const first = file === undefined ? undefined : firstRecordOf(file)
    return (
      first !== undefined &&
      typeof first.lang === 'string' &&
      typeof first.english === 'string' &&
      Array.isArray(first.relevant)
    )
  },
  async read(path, only, given) {
    const split = chosenSettings('language-requests', settings, given).get('split')
    const file = requestFile(path)
    if (file === undefined) {
      throw new DatasetError(`${path}: no requests.jsonl is there.`, 'Give the folder of the requests.')
    }
    const records = jsonLinesOf(file).filter((record) => split === 'all' || record.split === split)
    const translated = byLanguage(records)
    const named = kinds.flatMap((kind) => [...translated].map(([language]) => `${kind}s ${language}`))
    const wanted = wantedNames('language-requests', named, only)
    const cardsOf = writtenCatalogs(path)
    const read = kinds.flatMap((kind) => {
      const ofKind = [...translated].filter(([language]) => wanted.includes(`${kind}s ${language}`))
      const cards = ofKind.length === 0 ? [] : cardsOf(kind)
      return ofKind.map(([language, requests]) => {
        const asked = requests.filter((record) => kindOf(record) === kind)
        const retells = language === original ? {} : { retells: `${kind}s ${original}` }
        return { name: `${kind}s ${language}`, kind, cards, ...judgedOver(cards, asked), ...retells }
      })
    })
    return assembled(
      {
        name: 'language-requests',
        origin: `requests in ${translated.size - 1} languages and in English, split ${split} (sha256 ${fingerprintOf([file])})`,
        parts: read.map(({ lost: _, ...part }) => part),
        headline: ['ndcg@10', 'recall@10', 'mrr@10', 'completeness@10'],
        notes: [
          ...writtenNotes(read.reduce((sum, { lost }) => sum + lost, 0)),
          'Some of the English requests are in another language themselves, so that shares of English are rough.',
        ],
      },
      path,
    )
  },
}

const kinds = ['tool', 'agent'] as const

/** The language that the requests were first written in. */
const original = 'en'

const requestFile = (path: string): string | undefined =>
  isFile(path) ? path : fileIn(path, 'requests.jsonl')

/**
 * Requests by language, English first. Only those that every language tells, so that the figures of all are of the same
 * requests; the id of one is that of the English one with `-` and the language.
 */
function byLanguage(records: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const languages = [...new Set(records.map(({ lang }) => String(lang)))]
  const stemOf = ({ id, lang }: JsonObject): string => String(id).slice(0, -`-${lang}`.length)
  const everywhere = [...grouped(records, stemOf)].filter(([, each]) => each.length === languages.length)
  const english = everywhere.map(
    ([stem, [first]]): JsonObject => ({ ...first!, id: `${stem}-${original}`, query: first!.english! }),
  )
  const others = grouped(
    everywhere.flatMap(([, each]) => each),
    ({ lang }) => String(lang),
  )
  return new Map([[original, english], ...others])
}
