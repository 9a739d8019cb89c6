import { combineJudges } from '../../src/probing/judges/combine-judges.ts'
import { referenceJudge } from '../../src/probing/judges/reference-judge.ts'
import { keptProbesIn } from '../../src/probing/record/kept-probes.ts'
import { openProbing } from '../../src/probing/run/open-probing.ts'
import type { Executor, ProbeWriter, Task } from '../../src/probing/ports.ts'
import type { Probing } from '../../src/probing/run/probing.ts'
import { transcriptsIn } from '../../src/probing/record/transcripts.ts'
import { memoryRecord, type MemoryRecord } from './memory-record.ts'

/** The real probing over an executor of a test, a record in memory, and files in a folder of the test. */
export function scriptedProbing(
  folder: string,
  executor: Executor,
  options: { readonly ownTasks?: readonly Task[]; readonly writer?: ProbeWriter } = {},
): Probing & { readonly record: MemoryRecord; readonly settingsFile: string } {
  const record = memoryRecord()
  const settingsFile = `${folder}/settings.yaml`
  const probing = openProbing({
    executors: () => [executor],
    openJudge: async () => combineJudges({ reference: referenceJudge(), model: null }),
    openWriter: async () => options.writer ?? null,
    openRecord: async () => record,
    transcripts: transcriptsIn(`${folder}/transcripts`),
    keptProbes: keptProbesIn(`${folder}/probes.json`),
    ownTasks: async (_, count) => (options.ownTasks ?? []).slice(0, count),
    settingsFile,
    catalog: `${folder}/catalog`,
  })
  return { ...probing, record, settingsFile }
}
