import type { z } from 'zod'
import { compose, discard, keep } from './composing.ts'
import { card, search } from './finding.ts'
import { accept, held, refuse, takeBack, trust } from './held.ts'
import { index, indexPlan, planIndex } from './indexing.ts'
import { evaluate, evaluations, findable, models, report } from './measuring.ts'
import { allow, covered, permits, plan, withdraw } from './permits.ts'
import { job, jobs, probe, record, stop, transcript } from './running.ts'
import { forget, session, source, sources } from './sources.ts'

/** Everything that may be asked at `/api/v1/<name>`. docs/page.md shows this table; a test holds the two equal. */
export const endpoints = {
  session,
  search,
  card,
  record,
  transcript,
  compose,
  probe,
  jobs,
  job,
  stop,
  sources,
  source,
  evaluations,
  evaluate,
  report,
  models,
  findable,
  indexPlan,
  planIndex,
  index,
  forget,
  held,
  accept,
  refuse,
  takeBack,
  trust,
  permits,
  covered,
  plan,
  allow,
  withdraw,
  keep,
  discard,
} as const

type Endpoints = typeof endpoints

/** What each takes and gives, for whoever calls it from TypeScript. */
export type Api = {
  readonly [Name in keyof Endpoints]: {
    readonly input: z.input<Endpoints[Name]['input']>
    readonly output: Awaited<ReturnType<Endpoints[Name]['handle']>>
  }
}
