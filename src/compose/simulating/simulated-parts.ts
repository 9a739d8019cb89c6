import type { Config } from '../../config.ts'
import { opener } from '../../domain/once.ts'
import type { JudgePanel } from '../../probing/judges/combine-judges.ts'
import type { Audition } from '../audition.ts'
import type { OpenStore } from '../open-store.ts'

/** What simulations work with. */
type Parts = Pick<Audition, 'cards' | 'completeIds' | 'sources' | 'calling' | 'record'> & {
  readonly openJudge: () => Promise<JudgePanel>
}

/** What is asked of simulated servers, and the record that is to be closed where it was opened. */
export function simulatedParts(config: Config, store: OpenStore, { openJudge, ...app }: Parts) {
  const simulating = opener(async () => (await import('./open-simulating.ts')).openSimulating(config, app))
  const openRecord = opener(async () => (await import('../open-record.ts')).openSimulatedRecordOf(config))
  const probing = opener(async () => {
    const { openSimulatedProbes } = await import('./open-simulating.ts')
    const { server } = await simulating()
    return openSimulatedProbes(config, store, { openRecord, openJudge, serverOf: (source) => server(source) })
  })
  const asked: Pick<Audition, 'simulatedServer' | 'keptCalling' | 'simulatedProbing' | 'simulatedRecord'> = {
    simulatedServer: async (...call) => (await simulating()).server(...call),
    keptCalling: async () => (await simulating()).keptCalling(),
    simulatedProbing: probing,
    simulatedRecord: openRecord,
  }
  return { asked, openRecord }
}
