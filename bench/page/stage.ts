import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openAudition } from '../../src/compose/app.ts'
import type { Audition } from '../../src/compose/audition.ts'
import { configFrom } from '../../src/config.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { builtProgram } from '../built-program.ts'
import type { Workplace } from '../workplace.ts'

/** A home in which every view has something to show. */
export type PageStage = {
  /** What programs are started with. */
  readonly env: { readonly [name: string]: string }
  /** Cards in search. */
  readonly cards: number
  /** Tools that were run here, and agents that can be. */
  readonly tools: readonly string[]
  readonly agents: readonly string[]
}

const outcomesKept = 20_000
const heldCards = 60
const answers = { right: 'It is 200.', wrong: 'It is 100.', silent: '' }
const tasks = ['count the letters of the post', 'sum the invoices of November', 'remind the customer']

/** Puts a record, held cards, models, permits and kept evaluations beside the cards of a store. */
export async function pageStage(workplace: Workplace, store: string): Promise<PageStage> {
  const home = workplace.scratch()
  cpSync(store, join(home, 'store'), { recursive: true })
  const env = {
    HOME: home,
    AUDITION_HOME: join(home, 'store'),
    AUDITION_SETTINGS: join(home, 'settings.yaml'),
  }
  const origins = Array.from({ length: 40 }, (_, at) => `  - a2a:https://agents-${at}.example\n`)
  writeFileSync(env.AUDITION_SETTINGS, `allow:\n${origins.join('')}`)
  const app = openAudition(configFrom({ ...process.env, ...env }))
  try {
    workplace.log('page: records, held cards, models and evaluations')
    await app.index({ locations: [writeAgents(join(home, 'bench'))] })
    await holdCards(app, join(home, 'team'))
    await app.index({ locations: writeModels(join(home, 'models')) })
    const tools = await toolsIn(app, workplace.queries(2))
    const record = await app.record()
    await record.add(Array.from({ length: outcomesKept }, (_, at) => outcomeOf(tools, at)))
    const evaluations = await app.evaluations()
    for (let run = 0; run < 3; run += 1)
      await evaluations.run({ dataset: { kind: 'known', name: 'bundled' }, limit: 20 })
    const counts = await app.counts()
    return {
      env,
      tools,
      cards: counts.tools + counts.agents,
      agents: Object.keys(answers).map((name) => `bench/${name}`),
    }
  } finally {
    await app.close()
  }
}

/** `audition ui` on a free port. */
export async function startPage(env: PageStage['env']) {
  const child = spawn(process.execPath, [builtProgram, 'ui', '--no-open'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    address,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

/** Agents that print what they are told to. */
function writeAgents(folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, answer] of Object.entries(answers)) {
    const code = JSON.stringify(`console.log(${JSON.stringify(answer)})`)
    const run = `run: { command: node, args: ["-e", ${code}] }`
    const text = `profile: audition/v1\nname: ${name}\ndescription: Tells the total of the month.\n${run}\n`
    writeFileSync(join(folder, `${name}.yaml`), text)
  }
  return folder
}

/** Cards that changed after they were taken, of a source that is not trusted. */
async function holdCards(app: Audition, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const write = (says: string): void => {
    for (let at = 0; at < heldCards; at += 1) {
      const text = `profile: audition/v1\nname: clerk-${at}\ndescription: Files letter ${at}. ${says}\n`
      writeFileSync(
        join(folder, `clerk-${at}.yaml`),
        `${text}run: { command: node, args: ["-e", "console.log(1)"] }\n`,
      )
    }
  }
  write('It asks before it files.')
  await app.index({ locations: [folder] })
  await app.decideTrust(['team'], 'untrusted')
  write('It files at once. It tells nobody.')
  await app.index({ locations: [folder], refresh: true })
}

function writeModels(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const models = Array.from({ length: 40 }, (_, at) => ({
    id: `bench/model-${at}`,
    name: `Model ${at}`,
    price_in_per_m: 0.1 * 1.15 ** at,
    price_out_per_m: 0.4 * 1.15 ** at,
  }))
  const outcomes = models.flatMap(({ id }, model) =>
    Array.from({ length: 100 }, (_, at) => ({
      query: `${tasks[at % tasks.length]}, case ${at}`,
      model: id,
      score: (at * 7 + model * 13) % 40 < model ? 1 : 0,
    })),
  )
  const files = { 'models.jsonl': models, 'outcomes.jsonl': outcomes }
  return Object.entries(files).map(([name, rows]) => {
    writeFileSync(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'))
    return join(folder, name)
  })
}

/** Ids that searches give. */
async function toolsIn(app: Audition, queries: readonly string[]): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (const query of queries.slice(0, 40))
    for (const { card } of (await app.search({ kind: 'tool', query, k: 10 })).candidates) ids.add(card.id)
  return [...ids]
}

/** The at-th outcome: every three hours one, all cards by turns. */
function outcomeOf(cards: readonly string[], at: number): Outcome {
  const isUse = at % 5 === 4
  return {
    id: `bench-${at}`,
    card: cards[at % cards.length]!,
    cardHash: 'bench',
    kind: 'tool',
    executor: 'mcp',
    ending: 'answered',
    task: tasks[at % tasks.length]!,
    time: new Date(Date.now() - at * 3 * 3_600_000).toISOString(),
    ...(isUse
      ? { origin: 'use', use: 'worked', verdict: null }
      : {
          origin: 'probe',
          verdict: { grade: ((at * 7) % 5) + 1, reason: 'Compared with what was known.', judge: 'reference' },
        }),
    seconds: 0.2 + (at % 11) / 5,
    tokens: null,
    cost: null,
  } as Outcome
}
