import { hasModel, hasReader } from './static-model-folder.ts'
import { hostSystem } from './systems/host-system.ts'
import type { BenchSystem } from './systems/system.ts'

/** Loaded on demand: no system may pay for the code of another. */
const systems: { readonly [name: string]: () => Promise<BenchSystem> } = {
  audition: async () => (await import('./systems/audition.ts')).audition,
  'audition, ranking': async () => (await import('./systems/audition.ts')).auditionRanking,
  'audition, hybrid': async () => (await import('./systems/audition-hybrid.ts')).auditionHybrid,
  'audition, learned': async () => (await import('./systems/audition-hybrid.ts')).auditionLearned,
  'audition, hybrid ranking': async () =>
    (await import('./systems/audition-hybrid.ts')).auditionHybridRanking,
  'audition, learned ranking': async () =>
    (await import('./systems/audition-hybrid.ts')).auditionLearnedRanking,
  'audition, reader ranking': async () =>
    (await import('./systems/audition-hybrid.ts')).auditionReaderRanking,
  'claude code': async () =>
    hostSystem((await import('../src/evaluation/host-rankers/claude-code.ts')).claudeCode),
  'ai sdk 7': async () => hostSystem((await import('../src/evaluation/host-rankers/word-rankers.ts')).aiSdk),
  bm25: async () => hostSystem((await import('../src/evaluation/host-rankers/word-rankers.ts')).bm25),
  'lancedb full-text': async () => (await import('./systems/lancedb-full-text.ts')).lancedbFullText,
  minisearch: async () => (await import('./systems/minisearch.ts')).minisearch,
  orama: async () => (await import('./systems/orama.ts')).orama,
}

/** Systems that search the store of another. */
const owners: { readonly [name: string]: string } = {
  'audition, ranking': 'audition',
  'audition, learned': 'audition, hybrid',
  'audition, hybrid ranking': 'audition, hybrid',
  'audition, learned ranking': 'audition, hybrid',
}

/** The system whose kind of store a system searches. */
export const ownerOf = (system: string): string => owners[system] ?? system

/** Systems that are timed side by side. */
export const timedSystems: readonly string[] = [
  'audition',
  ...(hasModel ? ['audition, hybrid', 'audition, learned'] : []),
  'lancedb full-text',
  'minisearch',
  'orama',
]

/** Of these the ones with a store of their own. */
export const indexedSystems = timedSystems.filter((system) => ownerOf(system) === system)

/** Systems whose rankings are compared; Audition's are the bare ones, as measures want them. */
export const rankedSystems = {
  lexical: 'audition, ranking',
  model: hasModel ? ['audition, hybrid ranking', 'audition, learned ranking'] : [],
  raw: 'lancedb full-text',
  rivals: ['minisearch', 'orama'],
  /** How hosts rank on their own. */
  hosts: ['claude code', 'ai sdk 7', 'bm25'],
  reader: hasReader ? ['audition, reader ranking'] : [],
} as const

/** @throws Error when there is no such system */
export async function systemNamed(name: string): Promise<BenchSystem> {
  const load = systems[name]
  if (load === undefined) throw new Error(`No system "${name}". Systems: ${Object.keys(systems).join(', ')}.`)
  return load()
}
