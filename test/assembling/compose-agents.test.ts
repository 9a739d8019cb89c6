import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ComposingParts } from '../../src/assembling/ports.ts'
import { composeAgents } from '../../src/assembling/compose-agents.ts'
import { composedName } from '../../src/assembling/composition.ts'
import { profileYaml } from '../../src/catalog/readers/profile-yaml.ts'
import { documentFromText } from '../../src/catalog/source-document.ts'
import { shownStep, splitRequest } from '../../src/retrieval/query/facets.ts'
import { RemedyError } from '../../src/domain/remedy-error.ts'
import { scanText } from '../../src/trust/scan/scan-text.ts'
import { agentOn, combining, partsOver, type Script } from './scripted-search.ts'

const travel: Script = {
  whole: { 'air/book': 0.7, 'inn/reserve': 0.6, 'air/cancel': 0.03, 'mail/send': 0.001 },
  steps: {
    'book a flight': { 'air/book': 0.9, 'air/cancel': 0.05 },
    'reserve a room': { 'inn/reserve': 0.9, 'air/cancel': 0.02 },
  },
}
const idsOf = (tools: readonly { readonly id: string }[]): string[] => tools.map(({ id }) => id).sort()

describe('the first profile', () => {
  test.each<{ why: string; script: Script; tools: readonly string[]; unserved?: readonly string[] }>([
    {
      why: 'every step is served, and what no step needs is left out',
      script: travel,
      tools: ['air/book', 'inn/reserve'],
    },
    {
      why: 'one step needs one tool',
      script: { whole: { 'pdf/convert': 0.9, 'pdf/merge': 0.02, 'mail/send': 0.001 } },
      tools: ['pdf/convert'],
    },
    {
      why: 'two tools may be needed for what reads as one step',
      script: { whole: { 'shop/search': 0.6, 'shop/order': 0.55, 'mail/send': 0.001 } },
      tools: ['shop/order', 'shop/search'],
    },
    {
      why: 'a step that only the whole task does not speak of keeps its tool',
      script: { ...travel, whole: { 'air/book': 0.8, 'mail/send': 0.02 } },
      tools: ['air/book', 'inn/reserve'],
    },
    {
      why: 'a step that nothing does is told, and gets no nearest tool',
      script: {
        whole: { 'air/book': 0.7, 'mail/send': 0.001 },
        steps: { 'book a flight': { 'air/book': 0.9 }, 'paint the house': {} },
      },
      tools: ['air/book'],
      unserved: ['paint the house'],
    },
  ])('$why', async ({ script, tools, unserved = [] }) => {
    const { profiles, unserved: told, notes } = await composeAgents('a task', {}, partsOver(script))
    expect(idsOf(profiles[0]!.tools)).toEqual(tools)
    expect(told).toEqual(unserved)
    for (const step of unserved) expect(notes).toContain(`No tool of yours does this: "${step}".`)
  })

  test('says which tool serves which step, and how surely', async () => {
    const { profiles } = await composeAgents('a task', {}, partsOver(travel))
    expect(profiles[0]!.serves).toEqual([
      { facet: 'book a flight', tool: 'air/book', probability: 0.9 },
      { facet: 'reserve a room', tool: 'inn/reserve', probability: 0.9 },
    ])
  })
})

/** A search that is sure of nothing. */
const unsure = (script: Script) => {
  const parts = partsOver(script)
  return {
    ...parts,
    search: async (...asked: Parameters<typeof parts.search>) => ({
      ...(await parts.search(...asked)),
      match: 'weak' as const,
    }),
  }
}

describe('a task of which the search is unsure', () => {
  test('is told as one that nothing does where no tool is likely to', async () => {
    const { profiles, unserved, notes } = await composeAgents(
      'flurbinate the quonk',
      {},
      unsure({ whole: { 'a/one': 0.08, 'b/two': 0.07, 'c/three': 0.06 } }),
    )
    expect(unserved).toEqual(['flurbinate the quonk'])
    expect(notes).toContain('No tool of yours does this: "flurbinate the quonk".')
    expect(profiles).toEqual([])
  })

  test.each([
    { why: 'an unlikely tool is not named for it', probability: 0.4, tool: null },
    { why: 'a likely one is', probability: 0.7, tool: 'a/one' },
  ])('is told as open: $why', async ({ probability, tool }) => {
    const { profiles, unserved, notes } = await composeAgents(
      'a task',
      {},
      unsure({ whole: { 'a/one': probability } }),
    )
    expect(unserved).toEqual([])
    expect(notes).toContain('It is open whether a tool of yours does this: "a task".')
    expect(profiles[0]!.serves).toMatchObject([{ tool }])
  })
})

test('a score falls with the likelihood that a tool does the steps; the best stays the best', async () => {
  const sure = await composeAgents('a task', {}, partsOver({ whole: { 'a/one': 0.9 } }))
  const half = await composeAgents('a task', {}, partsOver({ whole: { 'a/one': 0.45 } }))
  expect(half.profiles[0]!.score).toBeLessThan(0.6 * sure.profiles[0]!.score)
  const models = { configured: [{ backbone: { name: 'tiny', id: 'acme/tiny' } }], reached: () => null }
  const { profiles } = await composeAgents('a task', {}, { ...unsure({ whole: { 'a/one': 0.26 } }), models })
  expect(profiles[0]).toMatchObject({ tools: [] })
  expect(profiles[0]!.score).toBe(Math.max(...profiles.map(({ score }) => score)))
})

test('a task in another language keeps its own words, and names its agents by their English', async () => {
  const task = 'Berechne 17 Prozent von 250 und schicke das Ergebnis an Anna'
  const readAs = 'please calculate 17 percent from 250; and please send result on Anna'
  const parts = partsOver({
    whole: { 'a/percent': 0.7 },
    steps: { 'please calculate 17 percent from 250': { 'a/percent': 0.9 }, 'send result on Anna': {} },
  })
  const search: typeof parts.search = async (request) => {
    const answer = await parts.search({ ...request, query: shownStep(request.query) })
    return request.query === task ? { ...answer, readAs } : answer
  }
  const { facets, unserved, profiles } = await composeAgents(task, {}, { ...parts, search })
  expect(facets).toEqual(['Berechne 17 Prozent von 250', 'schicke das Ergebnis an Anna'])
  expect(unserved).toEqual(['schicke das Ergebnis an Anna'])
  expect(profiles[0]!.name).toBe('composed-calculate-17-percent-from-250-and')
})

test('tasks without Latin letters have names of their own', () => {
  const names = ['請求書を合計する', '天気を調べる'].map((task) => composedName(task, 1))
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^composed-[a-f\d]{8}$/)
})

test('profiles are few, each backbone and set of tools once, and the later ones hold what the first lacks', async () => {
  const { profiles } = await composeAgents('a task', {}, partsOver(travel))
  const keys = profiles.map(({ backbone, tools }) => `${backbone?.name} ${idsOf(tools).join()}`)
  expect(new Set(keys).size).toBe(profiles.length)
  expect(profiles.length).toBeLessThanOrEqual(10)
  expect((await composeAgents('a task', { k: 2 }, partsOver(travel))).profiles).toHaveLength(2)
  expect(idsOf(profiles[1]!.tools)).toContain('air/cancel')
  expect(profiles.map(({ name }) => name).slice(0, 2)).toEqual(['composed-a-task', 'composed-a-task-2'])
})

test('where no step is served nothing is composed, with a model and without', async () => {
  const script: Script = { whole: {} }
  const without = await composeAgents('paint the house', {}, partsOver(script))
  expect(without).toMatchObject({ profiles: [], unserved: ['paint the house'] })
  const models = { configured: [{ backbone: { name: 'tiny', id: 'acme/tiny' } }], reached: () => null }
  const on = await composeAgents('paint the house', {}, partsOver(script, { models }))
  expect(on).toMatchObject({ profiles: [], unserved: ['paint the house'] })
  const shortlister = { ...combining([0]), combine: () => Promise.reject(new Error('nothing to combine')) }
  const far = await composeAgents(
    'paint the house',
    {},
    { ...unsure({ whole: { 'a/one': 0.05 } }), models, shortlister },
  )
  expect(far).toMatchObject({ profiles: [], unserved: ['paint the house'] })
})

test('without a model the backbone is null, and the notes say what is missing', async () => {
  const { profiles, notes } = await composeAgents('a task', {}, partsOver(travel))
  expect(profiles.every(({ backbone }) => backbone === null)).toBe(true)
  expect(notes).toContain('A model is missing to run it: set AUDITION_LLM, and compose again.')
})

test('backbones are the configured models, and those of agents that can be called; the best in the task leads', async () => {
  const reach = new Set(['acme/small', 'acme/large'])
  const worth: { readonly [id: string]: number } = { tiny: 0.6, second: 0.7, small: 0.5, large: 0.4 }
  const models = {
    configured: [
      { backbone: { name: 'second', id: 'acme/second' } },
      { backbone: { name: 'tiny', id: 'acme/tiny' } },
    ],
    reached: (backbone: { readonly name: string; readonly id?: string }) =>
      reach.has(backbone.id ?? '') ? { backbone } : null,
  }
  const modelScores: ComposingParts['modelScores'] = async (_, asked) =>
    asked.map(({ backbone }) => worth[backbone.name]!)
  const agents = [agentOn('large'), agentOn('small'), agentOn('unheard-of')].map(
    (agent) => [agent, 0.5] as const,
  )
  const { profiles, notes } = await composeAgents(
    'a task',
    {},
    partsOver({ ...travel, agents }, { models, modelScores }),
  )
  const first = profiles.filter(({ tools }) => idsOf(tools).join() === 'air/book,inn/reserve')
  expect(profiles[0]!.backbone?.name).toBe('second')
  expect(new Set(profiles.map(({ backbone }) => backbone?.name))).not.toContain('unheard-of')
  expect(first.every(({ score }) => score <= profiles[0]!.score)).toBe(true)
  expect(notes).toContain('Left out: 1 backbone of other agents, which AUDITION_LLM does not reach.')
})

test('a tool whose server cannot stand in a profile is left out, and told once', async () => {
  const parts = partsOver(travel)
  const { profiles, notes } = await composeAgents(
    'a task',
    {},
    {
      ...parts,
      serverOf(card) {
        if (card.source === 'inn') throw new RemedyError('the server "inn" is switched off.', 'Enable it.')
        return parts.serverOf(card)
      },
    },
  )
  expect(profiles.flatMap(({ tools }) => idsOf(tools))).not.toContain('inn/reserve')
  expect(notes.filter((note) => note.includes('switched off'))).toEqual([
    'Left out, tools of "inn": the server "inn" is switched off. Enable it.',
  ])
})

test('what a model combines becomes a candidate, and its tools count for more', async () => {
  const script: Script = { whole: { 'a/one': 0.5, 'b/two': 0.1, 'c/three': 0.1 } }
  const alone = await composeAgents('a task', {}, partsOver(script))
  const asked = await composeAgents('a task', {}, partsOver(script, { shortlister: combining([2]) }))
  expect(asked.asked).toEqual({ model: 'test:tiny', dropped: 2 })
  const rankOf = ({ profiles }: typeof alone) =>
    profiles.findIndex(({ tools }) => idsOf(tools).includes('b/two'))
  expect(asked.profiles[0]!.tools.map(({ id }) => id)).toContain('b/two')
  expect(rankOf(asked)).toBeLessThanOrEqual(rankOf(alone))
})

test('a model that does not answer in time is done without, and told', async () => {
  const late = new DOMException('late', 'TimeoutError')
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(late))
  onTestFinished(() => void vi.restoreAllMocks())
  const shortlister = {
    model: 'test:tiny',
    combine: (_: unknown, signal?: AbortSignal) =>
      signal?.aborted === true ? Promise.reject(late) : new Promise<never>(() => undefined),
  }
  const { profiles, notes } = await composeAgents('a task', {}, partsOver(travel, { shortlister }))
  expect(profiles.length).toBeGreaterThan(0)
  expect(notes).toContain('Composed without test:tiny: it gave no answer within 60 s.')
})

test.each([8, 9])('of %i steps it says when some stand in the last one', async (count) => {
  const task = Array.from({ length: count }, (_, at) => `${at + 1}. Book the hotel room number ${at}`).join(
    '\n',
  )
  const facets = splitRequest(task).steps
  expect(facets).toHaveLength(8)
  const { notes } = await composeAgents(
    task,
    {},
    partsOver({
      whole: travel.whole,
      steps: Object.fromEntries(facets.map((facet) => [facet, { 'inn/reserve': 0.9 }])),
    }),
  )
  expect(notes.some((note) => note.startsWith('A task has 8 steps at most'))).toBe(count > 8)
})

test('a model that cannot be asked is done without, and told', async () => {
  const failing = (error: Error) => ({ model: 'test:tiny', combine: () => Promise.reject(error) })
  const shortlister = failing(new RemedyError('test:tiny did not answer.', 'Start it.'))
  const { asked, profiles, notes } = await composeAgents('a task', {}, partsOver(travel, { shortlister }))
  const without = await composeAgents('a task', {}, partsOver(travel))
  expect(asked).toBeUndefined()
  expect(profiles.map(({ tools }) => idsOf(tools))).toEqual(without.profiles.map(({ tools }) => idsOf(tools)))
  expect(notes).toContain('Composed without test:tiny: test:tiny did not answer. Start it.')
  const broken = partsOver(travel, { shortlister: failing(new TypeError('a fault of ours')) })
  await expect(composeAgents('a task', {}, broken)).rejects.toThrow('a fault of ours')
})

test('what the servers of profiles need from the environment is told once, of those that stand in one', async () => {
  const parts = partsOver(travel)
  const serverOf: typeof parts.serverOf = (card) => ({
    ...parts.serverOf(card),
    variables: card.source === 'inn' ? ['INN_KEY', 'INN_URL'] : [],
  })
  const { notes } = await composeAgents('a task', {}, { ...parts, serverOf })
  expect(notes.filter((note) => note.includes('INN_'))).toEqual([
    'Set before a profile runs, since the servers of its tools read it from the environment: INN_KEY, INN_URL.',
  ])
})

test('a model that combines nothing usable is told', async () => {
  const shortlister = { model: 'test:tiny', combine: async () => ({ combinations: [], dropped: 3 }) }
  const { notes, profiles } = await composeAgents('a task', {}, partsOver(travel, { shortlister }))
  expect(profiles.length).toBeGreaterThan(0)
  expect(notes).toContain('test:tiny named no combination that can be used.')
})

test('steps are searched for in the words that the whole task was read by', async () => {
  const script: Script = {
    whole: { 'air/book': 0.7 },
    steps: { 'book a flight to Oslo': { 'air/book': 0.9 }, 'reserve a room there': { 'inn/reserve': 0.9 } },
  }
  const parts = partsOver(script)
  const asked: string[] = []
  const search: typeof parts.search = async (request) => {
    asked.push(request.query)
    return parts.search(request)
  }
  const task = 'book a flight to Oslo, and reserve a room there'
  await composeAgents(task, {}, { ...parts, search })
  expect(asked).toEqual([task, ...splitRequest(task).asked])
})

test('an empty task is refused', async () => {
  await expect(composeAgents('  ', {}, partsOver(travel))).rejects.toThrow('The task is empty.')
})

test('the profile is one that its reader takes back, complete, with the servers of its tools alone and no secret of the task', async () => {
  const task = 'book a flight with token sk-live-abcdefghijklmnop1234567890 <<<END>>>'
  const { profiles } = await composeAgents(task, { k: 1 }, partsOver(travel))
  const { cards, problems } = profileYaml.read(documentFromText('/agents/one.yaml', profiles[0]!.yaml))
  expect(problems).toEqual([])
  expect(cards).toMatchObject([
    {
      name: profiles[0]!.name,
      tags: ['composed'],
      backbone: null,
      tools: [{ id: 'air/book' }, { id: 'inn/reserve' }],
      servers: { air: { command: 'node' }, inn: { command: 'node' } },
      policy: { max_steps: 16 },
    },
  ])
  expect(profiles[0]!.yaml).not.toContain('abcdefghijklmnop')
  const [{ instructions = '' } = {}] = cards as readonly { readonly instructions?: string }[]
  expect(scanText({ field: 'instructions', register: 'prompt', text: instructions })).toEqual([])
})
