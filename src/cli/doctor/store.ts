import type { Check, Diagnosis } from './check.ts'
import { heldAgainst, heldAgainstText } from '../render/held-lines.ts'
import { timeText, unreadText } from '../render/text.ts'
import type { StoreDiagnosis } from '../../compose/app.ts'
import { isAddress } from '../../config.ts'
import { grouped } from '../../domain/grouped.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { noneWithoutIndex } from '../errors.ts'
import { isOtherVersion } from '../../retrieval/search/choose-ranker.ts'
import type { EngineIndexes, RepairStep } from '../../store/diagnosis.ts'
import type { KnownPlace } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import { namesOf } from '../render/problem-lines.ts'

/** Whether the store is there and can be read. */
export const store: Check = {
  name: 'store',
  async run(context) {
    const diagnosis = await (await context.audition()).diagnose()
    return [judgeStore(diagnosis), ...(diagnosis.indexes ?? []).flatMap(judgeIndexes)]
  },
}

/** Whether the model that is configured can be opened, and made the vectors in the store. */
export const model: Check = {
  name: 'model',
  async run(context) {
    return judgeModel(await (await context.audition()).diagnose())
  },
}

/** Whether the last run read every source. */
export const sources: Check = {
  name: 'sources',
  async run(context) {
    const audition = await context.audition()
    const known = await audition.sources().catch(noneWithoutIndex)
    const failed = known.filter(({ failure }) => failure !== undefined)
    const withProblems = known.filter(({ problems, failure }) => failure === undefined && problems.length > 0)
    const against = await heldAgainst(audition, known)
    const leftOut = (await audition.places().catch(noneWithoutIndex)).flatMap(leftOutIn)
    return [
      ...leftOut,
      ...failedSources(failed),
      ...withProblems.map(
        ({ id, problems }): Diagnosis => ({
          state: 'warn',
          message: `"${id}" was read with ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}`,
          remedy: `\`audition sources show ${id}\` lists them.`,
        }),
      ),
      ...against.map(
        (one): Diagnosis => ({
          state: 'warn',
          message: heldAgainstText(one),
          remedy: `If you trust what it says, \`${one.lift}\` lifts it.`,
        }),
      ),
      ...(known.length > 0 && failed.length + withProblems.length + leftOut.length === 0
        ? [{ state: 'ok', message: `${known.length} read without a problem` } as const]
        : []),
    ]
  },
}

/** Sources that failed for one reason, such as a folder that is gone, are one finding; servers are each their own. */
function failedSources(failed: readonly SourceState[]): readonly Diagnosis[] {
  const groups = grouped(failed, ({ id, failure, asked }) => (asked === undefined ? failure : id))
  return [...groups.values()].map((group): Diagnosis => {
    const [{ id, failure = '', asked }] = group as [SourceState]
    const isOne = group.length === 1
    const hadCards = group.some(({ tools, agents }) => tools + agents > 0)
    const stay = hadCards ? (isOne ? 'Its old cards stay. ' : 'Their old cards stay. ') : ''
    const names = isOne ? `"${id}"` : namesOf(group.map((one) => one.id))
    return {
      state: 'warn',
      message: `${names} could not be read: ${failure}`,
      remedy:
        asked?.failed === undefined
          ? `${stay}Mend ${isOne ? 'it' : 'this'} and run \`audition index\`, or \`audition sources remove\` ${isOne ? 'it' : 'them'}.`
          : `${stay}It is asked again by an \`audition index\` after ${timeText(asked.failed.again)} UTC, with --refresh at once.`,
      ...(asked?.failed?.output === undefined ? {} : { output: asked.failed.output }),
    }
  })
}

/** Files of a folder that are listed; the rest are counted. */
const shownLeftOut = 10

/** What was left out of a folder, and belongs to no source. */
function leftOutIn({ folder, problems }: KnownPlace): readonly Diagnosis[] {
  const more = problems.length - shownLeftOut
  return [
    ...problems.slice(0, shownLeftOut).map(
      ({ file, field, message, remedy }): Diagnosis => ({
        state: 'warn',
        message: `left out: ${[file, ...(field === undefined ? [] : [field])].join(' ')}: ${message}`,
        remedy,
      }),
    ),
    ...(more > 0
      ? [
          {
            state: 'warn',
            message: `left out of ${folder}: ${more} more`,
            remedy: '`audition sources` lists them.',
          } as const,
        ]
      : []),
  ]
}

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

function judgeStore({
  state,
  location,
  detail,
  tools,
  agents,
  bytes,
  generation,
}: StoreDiagnosis): Diagnosis {
  switch (state) {
    case 'ready': {
      const size = bytes === undefined ? '' : `, ${sizeText(bytes)}`
      const message = `${location}: ${countOf(tools, 'tool')}, ${countOf(agents, 'agent')}, generation ${generation}${size}`
      return tools + agents > 0
        ? { state: 'ok', message }
        : { state: 'warn', message: `${location} holds no card`, remedy: 'Run `audition index`.' }
    }
    case 'absent':
      return { state: 'warn', message: `nothing is indexed in ${location}`, remedy: 'Run `audition index`.' }
    case 'unreadable':
      return {
        state: 'fail',
        message: `${location} cannot be read: ${detail ?? 'no reason is known'}`,
        remedy: isAddress(location)
          ? 'Check the address and the keys, or set AUDITION_HOME to another one. Servers that run answer by what they saw last: `/ready` says how old that is.'
          : 'Run `audition doctor --repair`, or set AUDITION_HOME to another folder.',
      }
  }
}

/** Of a store in an engine: no word of a kind without cards. */
function judgeIndexes({ kind, made, missing }: EngineIndexes): readonly Diagnosis[] {
  if (made.length + missing.length === 0) return []
  const types = grouped(made, ({ type }) => type)
  const texts = [...types].map(([type, of]) => `${type} on ${of.map(({ column }) => column).join(', ')}`)
  const left = made.filter((one) => one.left).map((one) => `${one.column} lacks ${countOf(one.left!, 'row')}`)
  const message = `indexes of ${kind}s: ${[...texts, ...left].join('; ') || 'none'}`
  if (missing.length === 0) return [{ state: 'ok', message }]
  return [
    {
      state: 'warn',
      message: `${message}; none on ${missing.join(', ')}`,
      remedy: 'The engine may be at it still. An `audition index` that changes a card asks for it again.',
    },
  ]
}

function judgeModel(diagnosis: StoreDiagnosis): readonly Diagnosis[] {
  const { state, storedModel, configuredModel, modelFault, isUnasked } = diagnosis
  if (modelFault !== undefined) return [{ state: 'fail', ...modelFault }]
  const unasked: readonly Diagnosis[] = isUnasked
    ? [{ state: 'ok', message: `${configuredModel}: not asked yet, for nobody agreed to send it anything` }]
    : []
  if (state !== 'ready') return unasked
  if (storedModel === configuredModel) {
    const message = storedModel === null ? 'none: search goes by words alone' : storedModel
    return [{ state: 'ok', message }, ...judgeReading(diagnosis)]
  }
  const remedy = 'Run `audition index` to embed the store again, or configure the model it was built with.'
  const isWordsAlone = storedModel === null || isOtherVersion(storedModel, configuredModel ?? 'none')
  return [
    ...unasked,
    {
      state: isWordsAlone ? 'warn' : 'fail',
      message: `the store was built with ${storedModel ?? 'no model'}, but ${configuredModel ?? 'none'} is configured`,
      remedy,
    },
  ]
}

/** A large catalog is searched without the reader, as its owner may have wanted. */
const judgeReading = ({ tooManyToRead }: StoreDiagnosis): readonly Diagnosis[] =>
  tooManyToRead === undefined ? [] : [{ state: 'ok', message: unreadText(tooManyToRead) }]

/** Whether a store elsewhere keeps the commits of several writers apart; no word of a folder, which has a lock. */
export const writers: Check = {
  name: 'several writers',
  async run(context) {
    const tried = await (await context.audition()).conditionalPuts()
    switch (tried.outcome) {
      case 'needless':
        return []
      case 'honoured':
        return [{ state: 'ok', message: `the store honours ${tried.condition}` }]
      case 'ignored':
        return [
          {
            state: 'fail',
            message: `the store ignores ${tried.condition}: ${tried.detail}. Nothing is committed there, since two writers would destroy each other's commits unnoticed`,
            remedy: tried.remedy,
          },
        ]
      case 'failed':
        return [
          {
            state: 'warn',
            message: `${tried.condition} could not be tried: ${tried.detail}`,
            remedy: tried.remedy,
          },
        ]
    }
  },
}

/** Whether all that is stored can be read, and what runs that did not end have left. */
export const damage: Check = {
  name: 'damage',
  async run(context) {
    const audition = await context.audition()
    const { steps } = await audition.repair({ intent: 'look', signal: context.signal })
    if (steps.length === 0) return [{ state: 'ok', message: 'none found' }]
    return steps.map(findingOf)
  },
}

const findingOf = ({ kind, message, remedy }: RepairStep): Diagnosis => ({
  state: kind === 'tidy' ? 'warn' : 'fail',
  message: kind === 'lost' ? `lost: ${message}` : message,
  remedy:
    kind === 'remains' || kind === 'lost'
      ? (remedy ?? 'It cannot be mended from here.')
      : '`audition doctor --repair` does that (where nobody can be asked, with --yes); with --dry-run it says what it would do.',
})

/** Whether what is kept of runs holds tokens that show by their shape what they are: an older Audition kept them as they came. */
export const keptSecrets: Check = {
  name: 'record',
  async run(context) {
    const probing = await (await context.audition()).probing()
    const { outcomes, transcripts } = await probing.maskKept({ cards: [], write: false })
    if (outcomes + transcripts === 0)
      return [{ state: 'ok', message: 'no token stands in what is kept of runs' }]
    return [
      {
        state: 'warn',
        message: `what looks like a token stands in ${countOf(outcomes, 'outcome')} and ${countOf(transcripts, 'transcript')}`,
        remedy: '`audition record mask` masks it there, and what else is known as secret.',
      },
    ]
  },
}
