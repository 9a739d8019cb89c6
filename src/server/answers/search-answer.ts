import type { SearchAnswer } from '../../retrieval/answer.ts'
import type { ReachedAnswer } from '../asking/reached.ts'
import { type AnswerBudget, fittedAnswer, type Forms, type Frame, type Left } from './fitted-answer.ts'
import { Mistake } from '../mistakes.ts'
import { oneLine, quotedList } from '../text.ts'
import { type Detail, usualTokens } from '../search-input.ts'
import type { ServedAnswer } from '../tool.ts'

/** The words in which the two searches differ. */
type SearchWords = {
  /** `tools` or `agents`. */
  readonly plural: string
  /** What to do with a good candidate. */
  readonly next: string
  /** What to do when probably nothing fits. */
  readonly otherwise: string
  /** The place of the form that an entry should have: see `Outline`. */
  readonly needed: number
}

/** Tokens of the structured content for so many candidates or fewer; for each that comes on top, and with its line of text. */
const usual = { candidates: 5, tokens: 390, each: 75, withText: 150 }

/** What an answer may cost: as much as the caller says, else as little as serves. */
export function budgetOf(
  { detail, max_tokens: asked }: { readonly detail: Detail; readonly max_tokens?: number | undefined },
  { candidates }: Pick<SearchAnswer, 'candidates'>,
): AnswerBudget {
  if (asked !== undefined) return { most: asked }
  const most = usualTokens[detail]
  if (detail === 'full' || detail === 'signatures') return { most }
  const further = Math.max(0, candidates.length - usual.candidates)
  return { most: most + further * usual.withText, lean: usual.tokens + further * usual.each }
}

/** Renders what a search found within a budget. */
export function searchAnswer(
  found: ReachedAnswer,
  words: SearchWords,
  { entries, budget }: { readonly entries: readonly Forms[]; readonly budget: AnswerBudget },
): ServedAnswer {
  const frameOf = framesOf(found, words)
  return fittedAnswer({
    budget,
    needed: words.needed,
    list: 'candidates',
    entries,
    frames: [
      frameOf({ note: 300, steps: 12, advice: true }),
      frameOf({ note: 200, steps: 0, advice: true }),
      frameOf({ note: 60, steps: 0, advice: false }),
    ],
  })
}

type FrameRichness = { readonly note: number; readonly steps: number; readonly advice: boolean }

const framesOf = (found: ReachedAnswer, words: SearchWords) => (richness: FrameRichness) => {
  const readAs = found.readAs === undefined ? '' : `Read as: ${found.readAs}`
  const note = oneLine([found.note, readAs].filter((part) => part !== '').join(' '), richness.note)
  const steps =
    found.facets.length > 1 ? found.facets.slice(0, richness.steps).map((step) => oneLine(step, 80)) : []
  const stepsText = steps.length === 0 ? '' : `Steps: ${quotedList(steps, 12, 80)}.`
  const advised = found.match === 'none' ? elsewhere(found, words) : (found.next ?? words.next)
  const best = found.offer === undefined ? advised : `${advised} ${found.offer}`
  return (left: Left): Frame => {
    const next = advice(left, richness.advice ? best : undefined)
    return {
      head: [headline(found, words), note, stepsText].filter((part) => part !== '').join(' '),
      tail: next,
      before: { match: found.match, ...(note === '' ? {} : { note }) },
      after: {
        searched: found.searched,
        ...(steps.length === 0 ? {} : { steps }),
        ...(left.omitted === 0 ? {} : { omitted: left.omitted }),
        ...(next === '' ? {} : { next }),
      },
    }
  }
}

const elsewhere = ({ searched }: ReachedAnswer, { plural, otherwise }: SearchWords): string =>
  searched > 0 ? otherwise : `Drop filters, or the user indexes a source that has ${plural}: audition index.`

function headline({ match, candidates, searched }: ReachedAnswer, { plural }: SearchWords): string {
  const from = `${candidates.length} of ${searched} ${plural}`
  if (match === 'good') return `Good match: ${from}, best first.`
  if (match === 'weak') return `Weak match: ${from}, best first.`
  if (candidates.length === 0) return `Nothing fits: none of ${searched} ${plural}.`
  return `Probably nothing fits: the nearest ${from}, best first.`
}

/** @param best - what to do with the answer; absent where there is room only for what was left out */
function advice(left: Left, best: string | undefined): string {
  const omitted = left.omitted > 0 ? `${left.omitted} left out: raise max_tokens.` : ''
  if (best === undefined) return omitted
  const shortened = left.shortened ? 'Shortened to fit max_tokens: describe gives whole cards.' : ''
  const cut = left.cut && !left.shortened ? '"…": describe has the rest.' : ''
  return [best, shortened, cut, omitted].filter((part) => part !== '').join(' ')
}

/** The arguments that narrow a search, by the names that callers use. */
const narrowing = ['sources', 'tags', 'kinds', 'servers', 'runnable', 'read_only'] as const

/** @throws Mistake when arguments that narrow the search admit nothing, naming them and what to do */
export function checkAdmitted(
  found: SearchAnswer,
  input: { readonly [name in (typeof narrowing)[number]]?: readonly string[] | boolean | undefined },
  { plural }: SearchWords,
): void {
  if (found.searched > 0) return
  const given = narrowing.flatMap((name) => {
    const value = input[name]
    if (value === undefined || value === false) return []
    if (value === true) return [`${name} true`]
    return value.length === 0 ? [] : [`${name} ${quotedList(value, 5)}`]
  })
  if (given.length === 0) return
  throw new Mistake(
    `No indexed ${plural} pass ${given.join(' and ')}. Call again with fewer or other filters.`,
  )
}
