import { profileRuntime } from '../../adapters/ai-sdk/agents/profile-runtime.ts'
import { simulatedSession } from '../../adapters/mcp-client/simulated-session.ts'
import type { McpServerEntry } from '../../catalog/ports.ts'
import type { Config } from '../../config.ts'
import type { JudgePanel } from '../../probing/judges/combine-judges.ts'
import { RuntimeError, type TrackRecord } from '../../probing/ports.ts'
import type { Probing } from '../../probing/run/probing.ts'
import { executorOf } from '../../probing/runtime-kind.ts'
import type { SimulatedServer } from '../../simulating/ports.ts'
import { onSimulatedServers, runByOthers } from '../../simulating/simulated-agent.ts'
import { simulatedPermit, simulatedToolExecutor } from '../../simulating/simulated-tool.ts'
import { knownServers } from '../../trust/review/known-servers.ts'
import { catalogFolder } from '../folders.ts'
import { surroundingsFor } from '../open-executors.ts'
import { pinnedCatalog } from '../open-pinned-catalog.ts'
import { openProbes } from '../open-probes.ts'
import { simulatedTranscriptsOf } from '../open-record.ts'
import type { OpenStore } from '../open-store.ts'

type SimulatedParts = {
  readonly openRecord: () => Promise<TrackRecord>
  readonly openJudge: () => Promise<JudgePanel>
  readonly serverOf: (source: string) => Promise<SimulatedServer>
}

/**
 * Probing on simulated tools: tools themselves, and profiles whose servers are simulated. Outcomes go to a ledger of their own, and what told
 * candidates apart is not learned from.
 */
export function openSimulatedProbes(config: Config, store: OpenStore, parts: SimulatedParts): Probing {
  const { serverOf, ...judged } = parts
  const pinned = pinnedCatalog(store.openReader, store.onSnapshot)
  const openSession = async (entry: McpServerEntry) => {
    const [known] = await knownServers(entry, entry.name, pinned)
    if (known !== undefined) return simulatedSession(await serverOf(known.source))
    throw new RuntimeError(
      `The index has no tools of the server "${entry.name}", so that it cannot be simulated.`,
      'Run `audition index` on a configuration that has it.',
    )
  }
  const { probe, audition, plan, run, ...probing } = openProbes(config, store, {
    ...judged,
    openSimulatedRecord: judged.openRecord,
    simulated: {
      executors(settings) {
        const { pinned: _all, ...surroundings } = surroundingsFor({ config, catalogFolder, settings, pinned })
        return [
          simulatedToolExecutor(serverOf),
          onSimulatedServers(executorOf(profileRuntime, { ...surroundings, openSession })),
          runByOthers,
        ]
      },
      transcripts: simulatedTranscriptsOf(config),
      keptProbes: { of: async () => [], learn: async () => {} },
    },
  })
  const allowed = <Call extends { readonly allow?: Parameters<Probing['plan']>[0]['allow'] }>(
    call: Call,
  ) => ({
    ...call,
    allow: [...(call.allow ?? []), `${simulatedPermit}*`],
  })
  return {
    ...probing,
    probe: (call) => probe(allowed(call)),
    audition: (call) => audition(allowed(call)),
    plan: (call) => plan(allowed(call)),
    run: (call) => run(allowed(call)),
  }
}
