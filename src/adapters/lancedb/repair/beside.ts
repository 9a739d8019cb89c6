import { existsSync } from 'node:fs'
import type { Connection } from '@lancedb/lancedb'
import { openMeta } from '../connection.ts'
import { readReviews, readSources } from '../commit/head.ts'
import { readLedger } from '../integrity/ledger.ts'
import { listSums } from '../integrity/list-sums.ts'
import { readStatesCopy, statesCopyFile, writeStatesCopy } from '../integrity/states-copy.ts'
import { type Head, metaTable, recordTable } from '../schemas.ts'
import type { StoreLocation } from '../store-location.ts'

/** What is wrong with the files beside the tables of a catalog that is whole, for people. */
export function damageBeside(location: StoreLocation, { state }: Head): readonly string[] {
  const { isThere, damaged } = readLedger(location)
  const copy = readStatesCopy(location)
  return [
    ...(isThere ? [] : ['its files have no checksums yet']),
    ...(damaged > 0 ? [`${damaged} of the checksums of its files were damaged`] : []),
    ...(copy === null && existsSync(statesCopyFile(location))
      ? ['the copy of the states of sources was damaged']
      : []),
    ...(copy === null && !existsSync(statesCopyFile(location))
      ? ['there is no copy of the states of sources yet']
      : []),
    ...(copy !== null && copy.state !== state ? ['the copy of the states of sources is an old one'] : []),
  ]
}

/** Makes the files beside the tables anew, from a catalog that is whole. */
export async function mendBeside(location: StoreLocation, connection: Connection, head: Head): Promise<void> {
  const meta = await openMeta(location, connection)
  if (meta !== null) {
    const [sources, reviews] = [await readSources(meta, head), await readReviews(meta, head)]
    writeStatesCopy(location, { state: head.state, sources, reviews })
    meta.close()
  }
  await listSums(location, {}, { ...head.versions, [metaTable]: undefined, [recordTable]: undefined })
}
