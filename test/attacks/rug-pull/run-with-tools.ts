import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { AgentCard } from '../../../src/domain/card.ts'
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts'
import { type ModelServer, modelServer } from '../../fakes/model-server.ts'
import type { LiveTrial } from './live-trials.ts'
import { type RealStage, realStage } from './real-stage.ts'

/** What a model got of a server that changed. */
export type RunWithTools = {
  readonly trial: LiveTrial
  /** Tools that it got and must not have got; names. */
  readonly leaked: readonly string[]
  /** Tools that it must have got and did not. */
  readonly missing: readonly string[]
  /** Tools that were withheld, by why. */
  readonly withheld: readonly { readonly tool: string; readonly because: string }[]
  /** Tools that were withheld, and of which the run says nothing. */
  readonly untold: readonly string[]
}

/** Runs an agent on a model with the server's tools attached, for each trial over a store of its own. */
export async function runTrials(
  trials: readonly LiveTrial[],
  folder: string,
  script: string,
): Promise<readonly RunWithTools[]> {
  const model = await modelServer([{ text: 'Done.' }])
  const environment = {
    AUDITION_LLM: model.spec('openai-compatible'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
  }
  try {
    const done: RunWithTools[] = []
    for (const [at, trial] of trials.entries()) {
      const place = join(folder, `run-${at}`)
      const stage = await realStage(place, script, 'stdio', environment)
      try {
        await prepare(trial, stage)
        done.push(await runTrial(trial, stage, model, place))
      } finally {
        await stage.close()
      }
    }
    return done
  } finally {
    await model.close()
  }
}

async function prepare({ source, before, now }: LiveTrial, stage: RealStage): Promise<void> {
  if (source !== 'unknown') {
    await stage.say(before)
    await stage.index()
  }
  if (source === 'trusted') await stage.audition.decideTrust(['notes'], 'trusted')
  await stage.say(now)
  if (source !== 'accepted') return
  await stage.index()
  await stage.audition.accept(['notes'])
}

async function runTrial(
  trial: LiveTrial,
  stage: RealStage,
  model: ModelServer,
  folder: string,
): Promise<RunWithTools> {
  const probing = await stage.audition.probing()
  const asked = model.requests.length
  const report = await probing.run({
    card: clerk(folder, stage.entry),
    task: { text: 'Tidy up the notes.' },
    allow: ['profile:*', 'mcp:*', 'chat:*'],
  })
  const request = model.requests[asked]
  if (report.kind !== 'ran' || report.execution.ending !== 'answered' || request === undefined)
    throw new Error(`"${trial.what}" was not run: ${JSON.stringify(report)}`)
  const got = functionsOf(request.body)
  const { fit, now } = trial
  const told = report.execution.transcript.flatMap((event) => (event.kind === 'status' ? [event.text] : []))
  const isSame = (one: JsonObject, tool: JsonObject): boolean =>
    isDeepStrictEqual(one, functionOf(tool)) || isCutOf(one, functionOf(tool), told)
  const isGiven = (tool: JsonObject): boolean => got.some((one) => isSame(one, tool))
  const withheld = report.execution.transcript.flatMap((event) =>
    event.kind === 'tool-withheld' ? [{ tool: event.tool, because: event.because }] : [],
  )
  const name = (tool: JsonObject): string => String(tool.name)
  return {
    trial,
    leaked: got.filter((one) => !fit.some((tool) => isSame(one, tool))).map(name),
    missing: fit.filter((tool) => !isGiven(tool)).map(name),
    withheld,
    untold: now.tools
      .filter((tool) => !isGiven(tool) && !withheld.some((one) => one.tool === tool.name))
      .map(name),
  }
}

/** A profile with the server attached, as a file and as a card. */
function clerk(folder: string, entry: JsonObject): AgentCard {
  const file = join(folder, 'profiles', 'clerk.yaml')
  const profile = {
    profile: 'audition/v1',
    name: 'clerk',
    description: 'Keeps notes',
    backbone: { name: 'tiny' },
    servers: { desk: entry },
  }
  mkdirSync(join(folder, 'profiles'), { recursive: true })
  writeFileSync(file, JSON.stringify(profile)) // JSON is YAML
  return {
    kind: 'agent',
    agentKind: 'profile',
    id: 'team/clerk',
    source: 'team',
    name: 'clerk',
    description: 'Keeps notes',
    examples: [],
    tags: [],
    tools: [],
    policy: {},
    backbone: { name: 'tiny' },
    provenance: { reader: 'profile-yaml', location: file },
    runtime: { kind: 'profile', file },
  }
}

/** Whether a tool differs from the one that is meant in nothing but sentences that were cut out of its description, of which the run tells. */
function isCutOf(got: JsonObject, meant: JsonObject, told: readonly string[]): boolean {
  const pieces = String(got.description).split(/\[cut: [a-z-]+\]/)
  return (
    pieces.length > 1 &&
    pieces.every((piece) => String(meant.description).includes(piece.trim())) &&
    isDeepStrictEqual({ ...got, description: '' }, { ...meant, description: '' }) &&
    told.some((text) => text.startsWith(`of tool ${JSON.stringify(meant.name)} suspicious sentences`))
  )
}

/** What a model is told of a tool. */
const functionOf = ({ name, description, inputSchema }: JsonObject): JsonObject => ({
  name: String(name).replace(/[^\w-]/g, '_'),
  description: description ?? '',
  parameters: inputSchema ?? {},
})

const functionsOf = ({ tools }: JsonObject): readonly JsonObject[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool) =>
    isJsonObject(tool) && isJsonObject(tool.function) ? [functionFields(tool.function)] : [],
  )

const functionFields = ({ name, description, parameters }: JsonObject): JsonObject => ({
  name: name ?? '',
  description: description ?? '',
  parameters: parameters ?? {},
})
