import type { Connection } from '@lancedb/lancedb'
import { lancedb } from './native.ts'
import { StoreError, type StoreLocation } from './store-location.ts'

/**
 * Connects to LanceDB Cloud or Enterprise: `db://<database>`. The key and the way there come from the environment, as those of object
 * storage do: `LANCEDB_API_KEY`, `LANCEDB_HOST_OVERRIDE` for an address of one's own, `LANCEDB_REGION` for a region of the cloud.
 *
 * @throws StoreError without a key
 */
export function connectToEngine(location: StoreLocation): Promise<Connection> {
  const { LANCEDB_API_KEY: apiKey, LANCEDB_HOST_OVERRIDE: host, LANCEDB_REGION: region } = process.env
  if (!apiKey) throw withoutKey(location)
  return lancedb.connect(location, {
    apiKey,
    ...(host ? { hostOverride: host } : {}),
    ...(region ? { region } : {}),
    // Query nodes keep what they read: whoever has read a head wants what was written before it.
    readConsistencyInterval: 0,
  })
}

const withoutKey = (location: StoreLocation): StoreError =>
  new StoreError(
    `The store in ${location} cannot be opened: LANCEDB_API_KEY is not set.`,
    'Set it to the key of the database, and LANCEDB_HOST_OVERRIDE to the address of an Enterprise deployment.',
    { reason: 'LANCEDB_API_KEY is not set' },
  )

const attempts = 4

/** Does again what did not arrive, or whose answer did not: only what may be done twice. */
export async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === attempts || !isPassing(error)) throw error
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  /error sending request|connection|timed out|conflict|\b50[0234]\b/i.test(error.message)

/** What of the engine is asked for, by the paths of its requests. */
const features: readonly (readonly [path: RegExp, feature: string])[] = [
  [/create_index/, 'making indexes (full text, scalar, IVF_RQ)'],
  [/merge_insert/, 'replacing a row on a condition (merge_insert)'],
  [/\/query\//, 'searching by full text and by vectors'],
  [/\/update\//, 'updating rows (update)'],
]

/** Says which feature an engine lacks, where its answer tells that; other errors stay as they are. */
export async function askingFor<T>(location: StoreLocation, path: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await again(ask)
  } catch (error) {
    if (!(error instanceof Error) || !/\b(?:404|405|501)\b|not supported/i.test(error.message)) throw error
    const feature = features.find(([pattern]) => pattern.test(path))?.[1] ?? path
    throw new StoreError(
      `The engine of ${location} lacks what Audition needs there: ${feature}.`,
      'Take a newer LanceDB Enterprise, or keep the store in object storage: AUDITION_HOME=s3://bucket/path.',
      { reason: `its engine lacks ${feature}`, cause: error },
    )
  }
}
