import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { DatasetError } from '../../../src/evaluation/datasets/dataset.ts'
import { nearest } from './nearest.ts'

/** Absolute folder of the manifests of this package. */
const recipesFolder = nearest(import.meta.url, 'recipes', join('evals', 'benchmarks', 'recipes'))

const relativePath = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\]+$/, 'a path inside the folder')

/** Where the files of a benchmark are published. */
const sourceSchema = z.discriminatedUnion('hub', [
  z.strictObject({
    hub: z.literal('huggingface'),
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    /** A commit fixes what is read; a branch is looked up, and the commit noted. */
    revision: z.string(),
    /** Which files: `*` stands for a name, `**` for any path. */
    files: z.array(z.string()).min(1),
    /** Folder below the benchmark's own in which they are put. */
    folder: relativePath.optional(),
  }),
  z.strictObject({
    hub: z.literal('github'),
    repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
    revision: z.string(),
    files: z
      .array(
        z.strictObject({
          path: relativePath,
          sha256: z
            .string()
            .regex(/^[\da-f]{64}$/)
            .optional(),
        }),
      )
      .min(1),
    folder: relativePath.optional(),
  }),
  z.strictObject({
    hub: z.literal('manual'),
    address: z.url(),
    /** What a person has to do; there is no way to do it for them. */
    instructions: z.string(),
  }),
])

const manifestSchema = z.strictObject({
  name: z.string().regex(/^[a-z\d-]+$/),
  title: z.string(),
  paper: z.strictObject({ title: z.string(), venue: z.string(), address: z.url().optional() }).optional(),
  licence: z.string(),
  /** What is evaluated on, in words. */
  split: z.string(),
  measures: z.array(z.string()).min(1),
  sources: z.array(sourceSchema),
  /** Category to the names of its tasks. */
  categories: z.record(z.string(), z.array(z.string())).optional(),
  notes: z.array(z.string()).optional(),
  /** Rows that it publishes for rerankers, 0..1. */
  reranking: z
    .array(
      z.strictObject({
        source: z.string(),
        part: z.string().exactOptional(),
        instruction: z.enum(['with', 'without']).exactOptional(),
        corpus: z.literal('joined').exactOptional(),
        anchor: z.strictObject({ of: z.enum(['random order', 'first stage']), row: z.string() }),
        rows: z.array(
          z.strictObject({ name: z.string(), values: z.record(z.string(), z.number().min(0).max(1)) }),
        ),
      }),
    )
    .optional(),
})

/** What `recipes/<name>.json` says of a benchmark: where it is published, under which terms, how it is measured. */
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestSource = Manifest['sources'][number]

const read = new Map<string, Manifest>()

/**
 * The manifest of a benchmark. Read once.
 *
 * @throws DatasetError when there is none, or it breaks its own rules
 */
export function manifestOf(name: string): Manifest {
  const known = read.get(name)
  if (known !== undefined) return known
  const path = join(recipesFolder, `${name}.json`)
  if (!existsSync(path)) {
    throw new DatasetError(`There is no manifest for "${name}" (${path}).`, 'Give the folder that holds it.')
  }
  const manifest = parseManifest(path, readFileSync(path, 'utf8'))
  read.set(name, manifest)
  return manifest
}

/** Whether a benchmark has a manifest, and so may be downloaded. */
export const hasManifest = (name: string): boolean =>
  /^[a-z\d-]+$/.test(name) && existsSync(join(recipesFolder, `${name}.json`))

/** @throws DatasetError that names the field */
export function parseManifest(path: string, text: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new DatasetError(`${path}: not JSON.`, 'Mend the manifest.', { cause })
  }
  const { success, data, error } = manifestSchema.safeParse(json)
  if (success) return data
  const [issue] = error.issues
  throw new DatasetError(
    `${path}: "${issue?.path.join('.')}": ${issue?.message}.`,
    'Mend the manifest; evals/README.md lists its fields.',
  )
}
