import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Card } from '../../domain/card.ts'
import type { Task } from '../ports.ts'

const pairsSchema = z.array(
  z.object({
    sound: z.string(),
    flawed: z.string(),
    cases: z.array(z.object({ task: z.string(), expected: z.string() })),
  }),
)

/**
 * The tasks of a demonstration agent, with their right answers; none for any other card. Both agents of a pair have the
 * same ones.
 *
 * @param profiles - absolute folder of the demonstration's profiles
 * @param compiled - absolute folder of the compiled catalog, which holds the answer key
 */
export async function demoTasks(
  card: Card,
  { profiles, compiled }: { readonly profiles: string; readonly compiled: string },
): Promise<readonly Task[]> {
  const { runtime, name } = card
  if (runtime?.kind !== 'profile' || resolve(runtime.file, '..') !== resolve(profiles)) return []
  const key = pathToFileURL(join(compiled, 'demo', 'pairs.js')).href
  const { demoPairs } = (await import(key)) as { readonly demoPairs: unknown }
  const pair = pairsSchema.parse(demoPairs).find(({ sound, flawed }) => sound === name || flawed === name)
  return (pair?.cases ?? []).map(({ task, expected }) => ({
    text: task,
    reference: { kind: 'states', text: expected },
  }))
}
