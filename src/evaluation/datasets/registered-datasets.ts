import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { DatasetError } from './dataset.ts'

/** A dataset that the user allowed by name. */
type RegisteredDataset = {
  readonly name: string
  /** Absolute path of its file or folder. */
  readonly path: string
}

/** The datasets that the user allowed by name: others may ask for these, and never for a path. */
type RegisteredDatasets = {
  /** In order of their names. */
  all(): Promise<readonly RegisteredDataset[]>
  /**
   * Puts a dataset on the list, in place of one of the same name.
   *
   * @throws DatasetError when the name is not fit to be one
   */
  add(dataset: RegisteredDataset): Promise<void>
  /** @returns whether there was one */
  remove(name: string): Promise<boolean>
}

/** Names as they may stand on a command line and in a model's call. */
const fitName = /^[a-z0-9][a-z0-9._-]{0,63}$/

const listSchema = z.strictObject({
  format: z.literal('audition-datasets/1'),
  datasets: z.array(z.strictObject({ name: z.string().regex(fitName), path: z.string().min(1) })),
})

/** @param file - where the list is kept; made when the first is added */
export function registeredDatasets(file: string): RegisteredDatasets {
  async function all(): Promise<readonly RegisteredDataset[]> {
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
    try {
      return listSchema.parse(JSON.parse(text)).datasets
    } catch (cause) {
      throw new DatasetError(
        `${file}: not a list of datasets.`,
        'Mend it, or delete it and register the datasets anew.',
        { cause },
      )
    }
  }

  async function write(datasets: readonly RegisteredDataset[]): Promise<void> {
    const sorted = [...datasets].sort((a, b) => (a.name < b.name ? -1 : 1))
    await mkdir(dirname(file), { recursive: true })
    const fresh = `${file}.${process.pid}.part`
    await writeFile(
      fresh,
      `${JSON.stringify({ format: 'audition-datasets/1', datasets: sorted }, null, 2)}\n`,
    )
    await rename(fresh, file)
  }

  return {
    all,
    async add(dataset) {
      if (!fitName.test(dataset.name)) {
        throw new DatasetError(
          `"${dataset.name}" is no name for a dataset.`,
          'Take up to 64 small letters, digits, dots, dashes and underscores, for example my-queries.',
        )
      }
      await write([...(await all()).filter(({ name }) => name !== dataset.name), dataset])
    },
    async remove(name) {
      const before = await all()
      const after = before.filter((one) => one.name !== name)
      if (after.length < before.length) await write(after)
      return after.length < before.length
    },
  }
}
