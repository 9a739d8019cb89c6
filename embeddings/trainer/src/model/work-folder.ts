import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { TrainingError } from '../training-error.ts'

/** What a training depends on, in words by name: two that agree in all of it give the same model. */
type TrainingInputs = { readonly [name: string]: string }

/** The folder beside the model to be, where an unfinished training keeps what is done. */
export type WorkFolder = {
  readonly path: string
  /** Path of a file in it. */
  file(name: string): string
  /** Seconds per stage so far, those before an interruption too. */
  readonly seconds: ReadonlyMap<string, number>
  /** Runs a part of a stage and adds the time it took. */
  timed<T>(stage: string, run: () => Promise<T> | T): Promise<T>
  /** Moves a folder of it to where the model is to be, and removes the rest. */
  finish(folder: string): Promise<void>
}

const stateSchema = z.object({
  format: z.literal('audition-training/1'),
  inputs: z.record(z.string(), z.string()),
  seconds: z.record(z.string(), z.number()),
})

/** @throws TrainingError when something lies where the model is to be */
export async function refuseExisting(out: string): Promise<void> {
  if (!existsSync(out)) return
  const names = await readdir(out).catch(() => null)
  if (names?.length === 0) return
  throw new TrainingError(
    names === null ? `${out}: is a file.` : `${out}: is there already.`,
    'Give another folder with --out, or remove this one.',
  )
}

const workPath = (out: string): string => `${out}.training`

/**
 * Opens the work folder of a model to be, a new one or that of an interrupted training.
 *
 * @throws TrainingError when it belongs to a training with other inputs, or its state is damaged
 */
export async function openWorkFolder(out: string, inputs: TrainingInputs): Promise<WorkFolder> {
  const path = workPath(out)
  const stateFile = join(path, 'training.json')
  await mkdir(path, { recursive: true })
  const seconds = new Map(Object.entries(await secondsBefore(stateFile, inputs)))
  const save = async (): Promise<void> => {
    const state = { format: 'audition-training/1', inputs, seconds: Object.fromEntries(seconds) }
    const fresh = `${stateFile}.${process.pid}.part`
    await writeFile(fresh, JSON.stringify(state, null, 2))
    await rename(fresh, stateFile)
  }
  await save()
  return {
    path,
    file: (name) => join(path, name),
    seconds,
    async timed(stage, run) {
      const started = performance.now()
      try {
        return await run()
      } finally {
        seconds.set(stage, (seconds.get(stage) ?? 0) + (performance.now() - started) / 1000)
        await save()
      }
    },
    async finish(folder) {
      await refuseExisting(out)
      await rename(join(path, folder), out)
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function secondsBefore(
  file: string,
  inputs: TrainingInputs,
): Promise<{ readonly [stage: string]: number }> {
  if (!existsSync(file)) return {}
  const { data } = stateSchema.safeParse(parsed(await readFile(file, 'utf8')))
  if (data === undefined)
    throw new TrainingError(
      `${file}: the state of an interrupted training is damaged.`,
      'Remove the folder to train from the start.',
    )
  const names = [...new Set([...Object.keys(inputs), ...Object.keys(data.inputs)])]
  const differing = names.filter((name) => inputs[name] !== data.inputs[name])
  if (differing.length > 0)
    throw new TrainingError(
      `${file}: an interrupted training lies here that differs in ${differing.join(', ')}.`,
      'Call the command as before to go on with it, or remove the folder to train from the start.',
    )
  return data.seconds
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller says that it is damaged
  }
}
