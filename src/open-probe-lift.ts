import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { keptSessionExecutor } from './adapters/mcp-client/kept-session-executor.ts'
import { mcpHarvester } from './adapters/mcp-client/mcp-harvester.ts'
import type { Config } from './config.ts'
import { measureProbeLift, type ProbeLiftOptions } from './evaluation/probe-lift/measure-probe-lift.ts'
import type { ProbeLiftReport } from './evaluation/probe-lift/report.ts'
import { packageRoot } from './package-root.ts'
import { packageVersion } from './package-version.ts'
import { allowList } from './probing/allow-list.ts'
import { referenceJudge } from './probing/judges/reference-judge.ts'
import { probeBySource } from './probing/probe-lift/probe-by-source.ts'
import { tasksOfCard } from './probing/writing/tasks-of-card.ts'
import type { EmbeddingModel } from './retrieval/ports.ts'

/** Runs the measurement on servers of this package, which the user's settings need not allow: nothing else is started. */
export function probeLift(
  { environment }: Config,
  catalogFolder: string,
  model: EmbeddingModel | null,
  options: ProbeLiftOptions,
): Promise<ProbeLiftReport> {
  const evalsFolder = join(packageRoot, 'evals')
  const servers = join(evalsFolder, 'probe-lift', 'mcp.json')
  const connecting = { catalogFolder, environment, version: packageVersion() }
  const dependencies = {
    openExecutor: () => keptSessionExecutor(connecting),
    tasksOf: tasksOfCard,
    judge: referenceJudge(),
    allow: allowList([`mcp:${servers}#*`], catalogFolder),
    now: () => new Date(),
    newId: randomUUID,
  }
  return measureProbeLift(
    {
      evalsFolder,
      harvester: mcpHarvester(connecting),
      prober: { probe: (cards, probes, how) => probeBySource(cards, probes, dependencies, how) },
      model,
    },
    options,
  )
}
