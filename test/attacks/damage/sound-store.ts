import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { sealed } from '../../../src/domain/text/sealed-json.ts'
import { withAudition, writeEdition } from '../faults/catalogs.ts'

/** A store with all that a store can have, and the folder that its cards are read from. */
export type SoundStore = { readonly home: string; readonly source: string }

const outcomes: readonly Outcome[] = Array.from({ length: 14 }, (_, at) => ({
  ...{
    id: `00000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
    card: `source/clerk-${at % 5}`,
  },
  ...{ cardHash: 'one', kind: 'agent' as const, task: `Review contract number ${at % 6}` },
  ...{ time: `2026-03-${10 + at}T10:00:00.000Z`, origin: 'probe' as const, executor: 'command' },
  ...{ ending: 'answered' as const, seconds: 0.1, tokens: null, cost: null },
  verdict: { grade: ((at % 5) + 1) as 1 | 2 | 3 | 4 | 5, reason: 'as it should be', judge: 'reference' },
}))

/** Outcomes of which there are transcripts: what happened in the others is nowhere else. */
const withTranscript = 3

/** Makes the store by the sources of the program, so that it is the same whoever runs it. */
export async function soundStore(folder: string): Promise<SoundStore> {
  const [home, source] = [join(folder, 'home'), join(folder, 'source')]
  writeEdition(source, 1)
  await withAudition(home, (audition) => audition.index({ locations: [source] }))
  writeEdition(source, 2)
  await withAudition(home, (audition) => audition.index({ locations: [source] }))
  await withAudition(home, async (audition) => {
    const record = await audition.record()
    for (const some of [outcomes.slice(0, 6), outcomes.slice(6, 10), outcomes.slice(10)])
      await record.add(some)
  })
  mkdirSync(join(home, 'transcripts'), { recursive: true })
  for (const outcome of outcomes.slice(0, withTranscript)) {
    const transcript = { outcome, launch: 'node', answer: '42', failure: null, events: [], leftOut: 0 }
    writeFileSync(join(home, 'transcripts', `${outcome.id}.json`), sealed(JSON.stringify(transcript)))
  }
  const kept = [{ goal: 'contracts', tasks: ['Review this contract'] }]
  writeFileSync(join(home, 'probes.json'), sealed(JSON.stringify({ kept })))
  return { home, source }
}
