import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { isJsonObject } from '../../domain/json.ts'
import { readable } from '../../domain/paths.ts'
import { parseSealed, sealed } from '../../domain/text/sealed-json.ts'
import type { TellingTask } from '../../domain/weigh-probes.ts'
import { replaceWhole } from '../replace-whole.ts'

/** Tasks that a language model wrote for a goal and that told candidates apart: asked first when the goal is probed again. */
export type KeptProbes = {
  /** The tasks that are kept for a goal, the most telling first. A file that cannot be read holds none. */
  of(goal: string): Promise<readonly string[]>
  /**
   * Learns from a probe: written tasks of medium or high discrimination are kept, those of low are dropped, and those that
   * too few candidates answered stay as they were.
   *
   * @param written - the tasks that were written for the goal, kept ones among them
   */
  learn(goal: string, written: readonly string[], reported: readonly TellingTask[]): Promise<void>
}

/** Tasks per goal, and goals, the newest last. */
const mostTasks = 20
const mostGoals = 500

const schema = z.array(z.object({ goal: z.string(), tasks: z.array(z.string()) }))
type Kept = z.infer<typeof schema>

/** @param file - absolute; made when the first task is kept */
export function keptProbesIn(file: string): KeptProbes {
  async function read(): Promise<Kept> {
    try {
      return parseKept(await readFile(readable(file), 'utf8'))
    } catch {
      return [] // what was kept saves money and decides nothing: without it tasks are written anew
    }
  }
  return {
    async of(goal) {
      const key = keyOf(goal)
      return (await read()).find((one) => one.goal === key)?.tasks ?? []
    },
    async learn(goal, written, reported) {
      const mine = reported.filter(({ task }) => written.includes(task))
      const telling = mine.filter(({ discrimination }) => discrimination !== 'low')
      const graded = new Set(mine.map(({ task }) => task))
      const key = keyOf(goal)
      const all = await read()
      const before = all.find((one) => one.goal === key)?.tasks ?? []
      const tasks = [
        ...telling.toSorted((a, b) => b.variance - a.variance).map(({ task }) => task),
        ...before.filter((task) => !graded.has(task)),
      ].slice(0, mostTasks)
      if (tasks.length === 0 && before.length === 0) return
      const others = all.filter((one) => one.goal !== key)
      const kept = [...others, ...(tasks.length === 0 ? [] : [{ goal: key, tasks }])].slice(-mostGoals)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await replaceWhole(file, `${sealed(JSON.stringify({ kept }, null, 1))}\n`)
    },
  }
}

/** The probes as their file has them; an older Audition wrote the list alone. @throws Error when they were changed since, or are none */
export function parseKept(text: string): Kept {
  const stored = parseSealed(text.trimEnd())
  return schema.parse(isJsonObject(stored) ? stored.kept : stored)
}

const keyOf = (goal: string): string => goal.toLowerCase().replace(/\s+/g, ' ').trim()
