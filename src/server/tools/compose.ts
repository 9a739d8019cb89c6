import { z } from 'zod'
import type { ComposedProfile, Composition } from '../../assembling/composition.ts'
import { flagNames } from '../../domain/finding.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type Frame, fittedAnswer, type Forms } from '../answers/fitted-answer.ts'
import { ruleFields, ruleLine } from '../answers/card-fields.ts'
import { oneLine, quoted, quotedList, withoutPaths } from '../text.ts'
import { rounded } from '../answers/why.ts'
import { needText } from '../schemas.ts'
import { countedAsJob } from '../jobs/jobs.ts'
import { defineTool, type ServedAnswer } from '../tool.ts'

/** Profiles that are told: whoever wants more asks the command line. */
const mostShown = 3
/** Tokens that an answer may cost. */
const usualTokens = 1_200

/** Puts agents together for a task. */
export const composeAgent = defineTool({
  name: 'compose_agent',
  title: 'Compose agent',
  description: 'When no agent fits: put one together from the tools here.',
  effect: 'readOnly',
  loading: { hint: 'compose an agent' },
  example: { task: 'total the invoices, then set a reminder' },
  input: z.strictObject({ task: needText().describe('The whole task.') }),
  output: z.looseObject({ profiles: z.array(z.unknown()) }),
  handle: async (app, { task }, { signal }) =>
    compositionAnswer(await countedAsJob(app, () => app.compose(task, { k: mostShown, signal }))),
})

/** Renders a composition. Launches stay on the machine: the user writes the file. */
function compositionAnswer(composition: Composition): ServedAnswer {
  const { profiles, facets } = composition
  return fittedAnswer({
    budget: { most: usualTokens },
    needed: 0,
    list: 'profiles',
    entries: profiles.map(
      (profile, at): Forms => [
        () => piece(profile, at + 1, []),
        ...(facets.length < 2 ? [] : [() => piece(profile, at + 1, facets)]),
      ],
    ),
    frames: [() => frame(composition, 200), () => frame(composition, 40)],
  })
}

function piece(
  { name, score, backbone, tools, serves }: ComposedProfile,
  rank: number,
  facets: readonly string[],
) {
  const ids = tools.map(({ id }) => oneLine(id, 160))
  const rules = [...new Set(tools.flatMap(flagNames))]
  const model = backbone === null ? null : oneLine(backbone.id ?? backbone.name, 80)
  const steps = serves
    .slice(0, facets.length)
    .map(({ facet, tool }) => ({ step: oneLine(facet, 60), tool: tool === null ? null : oneLine(tool, 160) }))
  return {
    structured: {
      name,
      composed: true,
      score: rounded(score, 2),
      backbone: model,
      tools: ids,
      ...ruleFields(rules),
      ...(steps.length === 0 ? {} : { steps }),
    } as JsonObject,
    line: `${rank}. ${name} (composed, ${rounded(score, 2)}): ${model === null ? 'no backbone' : `on ${quoted(model)}`}, tools ${quotedList(ids, 12, 160)}${ruleLine(rules)}`,
  }
}

/** No line for a shell holds the task: it may be a stranger's. */
function frame({ profiles, unserved, notes }: Composition, longest: number): Frame {
  const others = notes.slice(unserved.length).map((note) => oneLine(withoutPaths(note), longest))
  const lacking = unserved.map((step) => oneLine(step, 80))
  const next =
    profiles.length === 0
      ? 'Say it in other words, or the user indexes a server that does it.'
      : 'Do it yourself with these tools; or the user writes the agent: `audition compose --write agents "<the task>"`.'
  return {
    head: [
      `${profiles.length} composed, the best first; the others hold what it lacks.`,
      lacking.length === 0 ? '' : `No tool here does: ${quotedList(lacking, 8, 80)}.`,
      ...others,
    ]
      .filter((part) => part !== '')
      .join(' '),
    tail: next,
    before: {
      ...(lacking.length === 0 ? {} : { unserved: lacking }),
      ...(others.length === 0 ? {} : { note: others.join(' ') }),
    },
    after: { next },
  }
}
