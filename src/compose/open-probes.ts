import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { JudgePanel } from '../probing/judges/combine-judges.ts'
import type { TrackRecord } from '../probing/ports.ts'
import { keptProbesIn } from '../probing/record/kept-probes.ts'
import { openProbing, type ProbingSurroundings } from '../probing/run/open-probing.ts'
import type { Probing } from '../probing/run/probing.ts'
import { tasksOfCard, demoTasks } from '../probing/writing/tasks-of-card.ts'
import { bundledFolder, catalogFolder, filesFolder } from './folders.ts'
import { answerKeysIn, demoPairsIn } from './parts/known-answers.ts'
import { languageModelOf } from './language-models.ts'
import { executorsFor } from './open-executors.ts'
import { pinnedCatalog } from './open-pinned-catalog.ts'
import { simulatedTranscriptsOf, transcriptsOf } from './open-record.ts'
import type { OpenStore } from './open-store.ts'

/** The demonstration: its profiles, and the right answers to its tasks. */
const demo = { profiles: join(bundledFolder, 'demo', 'profiles'), pairs: () => demoPairsIn(catalogFolder) }

/** The part of the composition root that knows how probes are run, graded and kept. */
export function openProbes(
  config: Config,
  { openReader, onSnapshot }: OpenStore,
  parts: {
    readonly openRecord: () => Promise<TrackRecord>
    readonly openJudge: () => Promise<JudgePanel>
    /** The ledger of what was only simulated. */
    readonly openSimulatedRecord: () => Promise<TrackRecord>
    /** In place of the real ways to run cards, and of what is kept of it. */
    readonly simulated?: Pick<ProbingSurroundings, 'executors' | 'transcripts' | 'keptProbes'>
  },
): Probing {
  const { openRecord, openJudge, openSimulatedRecord, simulated } = parts
  const pinned = pinnedCatalog(openReader, onSnapshot)
  return openProbing({
    executors: (settings) => executorsFor({ config, catalogFolder, settings, pinned }),
    openJudge,
    async openWriter() {
      const languageModel = await languageModelOf(config)
      if (languageModel === null) return null
      const { probeWriter } = await import('../adapters/ai-sdk/judge/probe-writer.ts')
      return probeWriter(languageModel)
    },
    openRecord,
    transcripts: transcriptsOf(config),
    keptElsewhere: async () => ({
      record: await openSimulatedRecord(),
      transcripts: simulatedTranscriptsOf(config),
    }),
    keptProbes: keptProbesIn(join(filesFolder(config), 'probes.json')),
    async ownTasks(card, count) {
      const known = await demoTasks(card, demo)
      if (known.length > 0) return known.slice(0, count)
      return tasksOfCard(
        card,
        count,
        card.kind === 'tool'
          ? {
              answers: await answerKeysIn(catalogFolder),
              // What is simulated has no effects.
              effects: simulated === undefined ? 'readOnly' : 'any',
            }
          : {},
      )
    },
    settingsFile: config.settings,
    catalog: bundledFolder,
    ...simulated,
  })
}
