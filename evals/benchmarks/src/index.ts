import type { DatasetRecipe } from '../../../src/evaluation/datasets/dataset.ts'
import { agentQueries } from './agent-queries.ts'
import { agentSearchRecord } from './agentsearchbench/agentsearch-record.ts'
import { agentSearchBench } from './agentsearchbench/agentsearchbench.ts'
import { agentSelect } from './agentselect/agentselect.ts'
import { muleRun } from './agentselect/mulerun.ts'
import { beir } from './beir.ts'
import { languageRequests } from './language-requests.ts'
import { livemcpbench } from './livemcpbench.ts'
import { naturalRequests } from './natural-requests.ts'
import { published } from './published.ts'
import { toolret, toolretDev } from './toolret/toolret.ts'
import { writtenQueries } from './written-queries.ts'

/** Every benchmark that can be read. A new one is a file and a line here; the first that recognises a path reads it. */
export const recipes: readonly DatasetRecipe[] = [
  toolret,
  toolretDev,
  naturalRequests,
  livemcpbench,
  beir,
  languageRequests, // before the written queries, which its file resembles
  writtenQueries,
  agentQueries,
  agentSelect,
  muleRun,
  agentSearchBench,
  agentSearchRecord,
].map(published)
