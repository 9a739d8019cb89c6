import { z } from 'zod'
import type { Card } from '../../../domain/card.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import type { ProbeWriter, WantedProbes } from '../../../probing/ports.ts'
import { askConfigured } from './ask-for-object.ts'
import {
  type MakeCode,
  aboutFences,
  cutToTokens,
  fencedData,
  randomCode,
  visibleText,
} from '../agents/fenced-data.ts'
import { checkedModel, type LanguageModelSettings } from '../models/language-model.ts'

/** What probes may test. @see our digest of AgentSearchBench, section 9 */
const dimensions = [
  'capability boundary',
  'failure mode',
  'consistency',
  'constraint adherence',
  'task performance',
] as const

const probesShape = z.object({
  probes: z.array(z.object({ dimension: z.enum(dimensions), probe: z.string() })),
})

/** Cards that are shown, and tokens of each and of the goal. */
const mostCards = 20
const mostCardTokens = 400
const mostGoalTokens = 2000
/** Longer probes are not short. Characters. */
const longestProbe = 600

/**
 * Asks the configured model for probes: short tasks that show how candidates for a goal differ, spread over five dimensions, each with an
 * answer of few words. Goal and cards are fenced as data. Probes that repeat another are left out; of the rest each dimension
 * gives one in turn.
 *
 * @throws LanguageModelError at once when the setting names no model; from `write` when the model cannot be asked, or gives no probe
 */
export function probeWriter(
  settings: LanguageModelSettings,
  { makeCode = randomCode }: { readonly makeCode?: MakeCode } = {},
): ProbeWriter {
  checkedModel(settings)
  return {
    model: settings.spec,
    async write(wanted, signal) {
      const code = makeCode()
      const question = { system: systemPrompt(code), prompt: prompt(wanted, code), schema: probesShape }
      const answer = await askConfigured(settings, { ...question, signal })
      const probes = inTurn(answer?.probes ?? []).slice(0, wanted.count)
      if (probes.length > 0) return probes
      throw new LanguageModelError(
        `${settings.spec} wrote no probe that could be used.`,
        'Ask again, describe the goal in more words, or configure another model in AUDITION_LLM.',
      )
    },
  }
}

const systemPrompt = (code: string): string =>
  'You write short probes that show how candidates for a goal differ when they are run.\n' +
  `${aboutFences(code)}\n` +
  'Each probe is one small task, sent to every candidate as it stands. It is short and atomic, holds all that is needed to do it, and ' +
  'asks for an answer of one word, one number, one line, or yes or no. It needs no files, links, accounts or earlier messages, and ' +
  'asks for nothing harmful. It names no candidate. It may be adversarial where that fits: beyond what a candidate should do, ' +
  'contradictory, or out of scope.\n' +
  'Spread the probes over these dimensions:\n' +
  'capability boundary: can it do this at all, and does it say so when it cannot;\n' +
  'failure mode: what it does with missing, wrong or contradictory input;\n' +
  'consistency: whether it gives the same answer to the same question in other words;\n' +
  'constraint adherence: whether it keeps to a format, a length or a limit that is asked for;\n' +
  'task performance: whether it does what the goal needs, with a result that can be checked.\n' +
  'Write them in the language of the goal. Answer with one JSON object: {"probes": [{"dimension": "...", "probe": "..."}]}.'

function prompt({ goal, candidates, count }: WantedProbes, code: string): string {
  const cards = candidates.slice(0, mostCards).map(shown)
  return [
    `The goal:\n${fencedData('GOAL', cutToTokens(maskSecrets(goal), mostGoalTokens).text, code)}`,
    ...cards.map((card, index) => `Candidate ${index + 1}:\n${fencedData('CANDIDATE', card, code)}`),
    `Write ${count} probes.`,
  ].join('\n\n')
}

/** What a candidate says of itself, without its name, which a probe is not to repeat. */
function shown(card: Card): string {
  const parts = card.kind === 'tool' ? card.parameters : card.tools
  const lines = [
    card.description,
    ...card.examples.slice(0, 5).map((example) => `Example: ${example}`),
    ...parts.slice(0, 20).map(({ name, description }) => `${name}: ${description ?? ''}`),
  ]
  return cutToTokens(maskSecrets(lines.join('\n')), mostCardTokens).text
}

type Written = z.infer<typeof probesShape>['probes'][number]

/** Usable probes, dimension by dimension in turn, so that a cut leaves them spread. */
function inTurn(written: readonly Written[]): readonly string[] {
  const seen = new Set<string>()
  const usable = written.flatMap(({ dimension, probe }) => {
    const text = visibleText(probe).trim()
    const key = text.toLowerCase().replace(/\s+/g, ' ')
    if (text === '' || text.length > longestProbe || seen.has(key)) return []
    seen.add(key)
    return [{ dimension, text }]
  })
  const rounds = dimensions.map((dimension) => usable.filter((probe) => probe.dimension === dimension))
  const longest = Math.max(0, ...rounds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) =>
    rounds.flatMap((probes) => probes[round]?.text ?? []),
  ).flat()
}
