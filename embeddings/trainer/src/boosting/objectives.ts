import { logisticObjective } from './logistic-objective.ts'
import type { Objective } from './objective.ts'
import { rankingObjective } from './ranking-objective.ts'

/** What trees can be trained for, by name. */
export const objectives = {
  ranking: rankingObjective,
  logistic: logisticObjective,
} satisfies { readonly [name: string]: Objective }

export type ObjectiveName = keyof typeof objectives
