import type { BenchSystem } from './systems/system.ts'

/** Loaded on demand: no system may pay for the code of another. */
const systems: { readonly [name: string]: () => Promise<BenchSystem> } = {
  audition: async () => (await import('./systems/audition.ts')).audition,
  'audition, ranking': async () => (await import('./systems/audition.ts')).auditionRanking,
  'audition, hybrid': async () => (await import('./systems/audition-hybrid.ts')).auditionHybrid,
  'lancedb full-text': async () => (await import('./systems/lancedb-full-text.ts')).lancedbFullText,
  minisearch: async () => (await import('./systems/minisearch.ts')).minisearch,
  orama: async () => (await import('./systems/orama.ts')).orama,
}

/** Systems that are timed and sized side by side. */
export const timedSystems = [
  'audition',
  'audition, hybrid',
  'lancedb full-text',
  'minisearch',
  'orama',
] as const

/** Systems whose rankings are compared; Audition's is the bare one, as measures want it. */
export const rankedSystems = ['audition, ranking', 'lancedb full-text', 'minisearch', 'orama'] as const

/** @throws Error when there is no such system */
export async function systemNamed(name: string): Promise<BenchSystem> {
  const load = systems[name]
  if (load === undefined) throw new Error(`No system "${name}". Systems: ${Object.keys(systems).join(', ')}.`)
  return load()
}
