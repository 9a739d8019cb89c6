import { annotated } from './annotated.ts'
import { answers } from './answers.ts'
import type { Bench } from './bench.ts'
import { besideHosts } from './beside-hosts.ts'
import { call } from './call.ts'
import { compose } from './compose.ts'
import { context } from './context/context.ts'
import { counterfactual } from './counterfactual/counterfactual.ts'
import { earlyStop } from './early-stop.ts'
import { fleet } from './fleet/fleet.ts'
import { embedding } from './embedding.ts'
import { engine } from './engine.ts'
import { httpLoad } from './http-load.ts'
import { indexing } from './indexing.ts'
import { indexServers } from './index-servers.ts'
import { installSize } from './install-size.ts'
import { latency } from './latency.ts'
import { load } from './load/load.ts'
import { million } from './million/million.ts'
import { models } from './models.ts'
import { misbehaving } from './misbehaving/misbehaving.ts'
import { pageBench } from './page/page.ts'
import { probeLift } from './probe-lift/probe-lift.ts'
import { quality } from './quality.ts'
import { reader } from './reader.ts'
import { reading } from './reading.ts'
import { record } from './record.ts'
import { recordWriters } from './record-writers.ts'
import { tiers } from './tiers.ts'
import { verdict } from './verdict/verdict.ts'
import { uses } from './uses.ts'
import { searchThreadsBench } from './search-threads.ts'
import { simulate } from './simulate.ts'
import { serverStartup } from './server-startup.ts'

/** All benches, in the order they run: indexing leaves its stores to those behind it. */
export const benches: readonly Bench[] = [
  installSize,
  indexing,
  indexServers,
  embedding,
  reader,
  reading,
  latency,
  tiers,
  serverStartup,
  httpLoad,
  searchThreadsBench,
  pageBench,
  load,
  misbehaving,
  annotated,
  answers,
  call,
  simulate,
  compose,
  models,
  context,
  counterfactual,
  quality,
  besideHosts,
  verdict,
  record,
  recordWriters,
  uses,
  probeLift,
  earlyStop,
  million,
  fleet,
  engine,
]
