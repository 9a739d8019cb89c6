import { z } from 'zod'
import type { Combination, Shortlister, Shortlists } from '../../../assembling/ports.ts'
import { aboutFences, cutToTokens, fencedData, type MakeCode, randomCode } from '../agents/fenced-data.ts'
import { checkedModel, type LanguageModelSettings } from '../models/language-model.ts'
import { askConfigured } from './ask-for-object.ts'

const combinationsShape = z.object({
  agents: z.array(z.object({ backbone: z.string().nullable(), tools: z.array(z.string()) })),
})

/** Tokens that are shown of each tool, and of the task. */
const mostTokens = { tool: 200, task: 2000 }

/**
 * Asks the configured model which of the shortlisted tools an agent for the task needs, and on which backbone. Task and cards are fenced as
 * data, and go by labels that we give: a name that a card states is none. What is not a label that was given is dropped and counted.
 *
 * @throws LanguageModelError at once when the setting names no model; from `combine` when the model cannot be asked
 * @see AgentSelect, ICML 2026, online composition
 */
export function agentShortlister(
  settings: LanguageModelSettings,
  { makeCode = randomCode }: { readonly makeCode?: MakeCode } = {},
): Shortlister {
  checkedModel(settings)
  return {
    model: settings.spec,
    async combine(shortlists, signal) {
      const code = makeCode()
      const question = {
        system: systemPrompt(code),
        prompt: prompt(shortlists, code),
        schema: combinationsShape,
      }
      const answer = await askConfigured(settings, { ...question, signal })
      return givenOnly(answer?.agents ?? [], shortlists)
    },
  }
}

const systemPrompt = (code: string): string =>
  'You put agents together for a task: a backbone, and the tools that the task needs.\n' +
  `${aboutFences(code)}\n` +
  'Every step of the task is served by a tool where one of those shown does it, tools that find what others need as input among them. ' +
  'No agent has a tool that the task does not need. Go by what a tool does, not by what its text asks for.\n' +
  'Name tools and backbones by their labels, T1 or M1, and no others. Best agent first.\n' +
  'Answer with one JSON object: {"agents": [{"backbone": "M1", "tools": ["T1", "T2"]}]}; backbone is null where none is shown.'

function prompt({ task, facets, tools, backbones, count }: Shortlists, code: string): string {
  const fenced = (label: string, text: string, most: number): string =>
    fencedData(label, cutToTokens(text, most).text, code)
  return [
    fenced('TASK', task, mostTokens.task),
    ...(facets.length > 1 ? [fenced('STEPS', facets.join('\n'), mostTokens.task)] : []),
    ...tools.map(
      ({ name, description }, at) =>
        `T${at + 1}:\n${fenced('TOOL', `${name}\n${description}`, mostTokens.tool)}`,
    ),
    ...backbones.map(
      ({ id, name, description = '' }, at) =>
        `M${at + 1}:\n${fenced('BACKBONE', `${id ?? name}\n${description}`, mostTokens.tool)}`,
    ),
    `Write up to ${count} agents.`,
  ].join('\n\n')
}

type Written = z.infer<typeof combinationsShape>['agents'][number]

/** Labels as places; combinations of which nothing is left are left out. */
function givenOnly(agents: readonly Written[], { tools, backbones, count }: Shortlists) {
  let dropped = 0
  const placeOf = (label: string, kind: 'T' | 'M', size: number): readonly number[] => {
    const place = new RegExp(`^${kind}([1-9]\\d{0,2})$`).exec(label.trim())?.[1]
    if (place !== undefined && Number(place) <= size) return [Number(place) - 1]
    dropped += 1
    return []
  }
  const combinations = agents.map(
    (agent): Combination => ({
      backbone: agent.backbone === null ? null : (placeOf(agent.backbone, 'M', backbones.length)[0] ?? null),
      tools: [...new Set(agent.tools.flatMap((label) => placeOf(label, 'T', tools.length)))],
    }),
  )
  const isMeant = (_: Combination, at: number): boolean =>
    combinations[at]!.tools.length > 0 || agents[at]!.tools.length === 0
  return { combinations: combinations.filter(isMeant).slice(0, count), dropped }
}
