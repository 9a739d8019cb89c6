import type { DatasetRecipe } from '../../../src/evaluation/datasets/dataset.ts'
import { agentQueries } from './agent-queries.ts'
import { agentSearchRecord } from './agentsearchbench/agentsearch-record.ts'
import { agentSearchBench } from './agentsearchbench/agentsearchbench.ts'
import { agentSelect } from './agentselect/agentselect.ts'
import { muleRun } from './agentselect/mulerun.ts'
import { beir } from './beir.ts'
import { livemcpbench } from './livemcpbench.ts'
import { published } from './published.ts'
import { toolret, toolretDev } from './toolret/toolret.ts'
import { writtenQueries } from './written-queries.ts'

/** Every benchmark that can be read. A new one is a file and a line here; the first that recognises a path reads it. */
export const recipes: readonly DatasetRecipe[] = [
  toolret,
  toolretDev,
  livemcpbench,
  beir,
  writtenQueries,
  agentQueries,
  agentSelect,
  muleRun,
  agentSearchBench,
  agentSearchRecord,
].map(published)
