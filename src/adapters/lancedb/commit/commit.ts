import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Connection, Table } from '@lancedb/lancedb'
import type { EmbeddingModel } from '../../../retrieval/ports.ts'
import { type CatalogChange, OvertakenError } from '../../../store/catalog-writer.ts'
import { changesStanding, standingsOf } from '../../../trust/standing.ts'
import { removalOf } from '../card-rows.ts'
import { copyStates, listSums, statesCopyFile, type Versions } from '../integrity/ledger.ts'
import { forgetDamagedVersions } from '../integrity/verify-table.ts'
import { cardKinds, type StoreHead, type MetaRow, metaTable, recordTables } from '../schemas.ts'
import { isRemote, readingStore, StoreError, type StoreLocation } from '../store-location.ts'
import { isPassing, mostFailures, pause } from './again.ts'
import { changeKind } from './change-kind.ts'
import type { CommitTables } from './commit-tables.ts'
import { readStoredHead, replaceHead, type StatesReader, type StoredHead, statesAfter } from '../head.ts'
import type { KindWork } from './kind-work.ts'
import { headAfter, holdsOn, includesCommit, isCurrent, touchedSources } from './next-head.ts'
import { PrivateTables } from './private-tables.ts'
import { forgetUnnamed, graceMs } from './retired.ts'
import { TablesInPlace } from './tables-in-place.ts'

/** What a commit works on. */
export type Commit = {
  readonly location: StoreLocation
  readonly connection: Connection
  /** Over which nothing is written: whatever is asked may be asked again. */
  readonly reading: Connection
  /** The table with the head, to be read. */
  readonly meta: Table
  /** The same table, to be written: as it is now. */
  readonly landing: () => Promise<Table>
  readonly statesOf: (head: StoreHead | null) => ReturnType<StatesReader>
  /** What the change was planned on. */
  readonly planned: StoredHead
  readonly model: EmbeddingModel | null
  readonly change: CatalogChange
  /** Cards of a kind from which its image is kept in segments. */
  readonly segmentsFrom: number
  readonly opened: KindWork['opened']
  /** Called once the change is committed; pruning follows. */
  readonly onCommitted: (head: StoredHead) => void
  readonly onProgress: (share: number, step: string) => void
  readonly signal: AbortSignal | undefined
}

type Attempt = Commit & {
  /** Of the commit: the same in all attempts. */
  readonly id: string
  /** The head whose place it wants to take. */
  readonly before: StoredHead
  readonly embedded: Map<string, Float32Array> | null
}

/** Attempts at one commit, when another writer is first each time. */
const mostAttempts = 12

/**
 * Changes the tables, then puts a head in the place of the one that was read: that is the commit. When another writer was first, the
 * change is made once more, on what that one committed.
 *
 * @throws OvertakenError when others changed the same sources meanwhile, or were first every time
 */
export async function commitChange(commit: Commit): Promise<void> {
  const { location, meta, planned, change, signal } = commit
  const touched = touchedSources(change)
  const id = randomUUID()
  const embedded = isRemote(location) ? new Map<string, Float32Array>() : null
  let before = planned
  let failures = 0
  for (let attempt = 1; attempt - failures <= mostAttempts; attempt += 1) {
    try {
      if (attempt > 1) {
        await pause(attempt - 1, signal)
        await meta.checkoutLatest()
        before = await readStoredHead(meta)
        // The attempt before was stored, and nobody could say so.
        if (includesCommit(before.head, id)) return commit.onCommitted(before)
        if (!holdsOn(before.head, planned.head, touched)) throw new OvertakenError('changed the same sources')
      }
      if (await attemptCommit({ ...commit, id, before, embedded })) return
    } catch (error) {
      failures += 1
      if (!isRemote(location) || !isPassing(error) || failures > mostFailures) throw error
    }
  }
  throw new OvertakenError(`were first ${mostAttempts} times`)
}

/** @returns whether it is committed; false when another writer was first */
async function attemptCommit(attempt: Attempt): Promise<boolean> {
  const { location, connection, reading, before, segmentsFrom, signal } = attempt
  const [store, { head }] = [{ location, connection }, before]
  const tables = isRemote(location)
    ? new PrivateTables(store, head, { reading, signal })
    : new TablesInPlace(store, head, { manyRows: segmentsFrom, signal })
  const started = performance.now()
  /** Whether no head can name what was written: one that was sent may still arrive, whatever is heard of it. */
  let isUnnamed = true
  try {
    const { next, states } = await nextHead(attempt, tables)
    signal?.throwIfAborted()
    if (isRemote(location) && performance.now() - started > graceMs / 2) throw tookTooLong(location)
    isUnnamed = false
    const stored = await landed(attempt, next, states)
    isUnnamed = stored === null
    if (stored === null) return false
    attempt.onCommitted(stored)
    // It is committed: what cannot be pruned now, say for want of space, is pruned by the next run.
    await Promise.allSettled([
      tables.prune(),
      forgetDamagedVersions(location, metaTable).then(() =>
        forgetUnnamed(
          { location, connection, head: stored.head },
          { before: head, landing: attempt.landing },
        ),
      ),
    ])
    await accountFor(attempt, stored.head).catch(() => undefined)
  } finally {
    if (isUnnamed) await tables.discard()
    tables.close()
  }
  attempt.onProgress(1, 'done')
  return true
}

/**
 * Lists what the files of a commit are, and copies the states of sources, for the day that something of it is damaged. Files of tables
 * that it left as they were keep what they are known to be.
 */
async function accountFor(
  { location, meta, before: { head: before } }: Attempt,
  head: StoreHead,
): Promise<void> {
  if (isRemote(location)) return
  const { state, versions } = head
  if (state !== before?.state || !existsSync(statesCopyFile(location))) await copyStates(location, meta, head)
  const kept = Object.entries(versions).filter(([table, version]) => before?.versions[table] === version)
  const isKept = new Set(kept.map(([table]) => table))
  const changed = Object.entries(versions).filter(([table]) => !isKept.has(table))
  const written: Versions = { ...Object.fromEntries(changed), [metaTable]: undefined }
  await listSums(location, written, {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(recordTables.map((table) => [table, undefined])),
  })
}

/** Writes all that the next head names, but for rows that come with it. */
async function nextHead(
  attempt: Attempt,
  tables: CommitTables,
): Promise<{ readonly next: StoreHead; readonly states: readonly MetaRow[] }> {
  const { id, location, before, model, change, statesOf } = attempt
  const { head } = before
  const counts = { tool: head?.tools ?? 0, agent: head?.agents ?? 0 }
  const digests = { ...head?.digests }
  let isChanged = false
  const states = await readingStore(location, () => statesOf(head))
  const isRanked = !changesStanding(states.sources, change.sources)
  const standingOf = standingsOf([...states.sources, ...change.sources])
  for (const kind of cardKinds) {
    const isNone = (head?.[`${kind}s`] ?? 0) === 0
    const removal = isNone
      ? { ids: [], sources: [] }
      : await readingStore(location, () => removalOf(tables, kind, change))
    const put = change.put.filter((card) => card.kind === kind)
    const isTouched = put.length + removal.ids.length + removal.sources.length > 0
    if (!isTouched && isRanked && isCurrent(head, model)) continue
    const changed = await changeKind({ ...attempt, head, tables, kind }, { put, removal, standingOf })
    counts[kind] = changed.cards
    digests[kind] = changed.digest
    isChanged = true
  }
  if (model === null) tables.leaveOutVectors()
  const { named, rows } = statesAfter(head, states, change)
  const written = { ...(await tables.settle()), ...named }
  const next = headAfter(head, { commit: id, digests, counts, isChanged, ...written }, attempt)
  return { next, states: rows }
}

/**
 * Puts the head in its place, and looks whether it is there: an answer may get lost on its way, and a store that does not keep its
 * word be found out. What the head names is written: while nobody else was first, it is put once more where the way to it fails.
 *
 * @returns the newest head, which stands on this one; null when another writer was first
 */
async function landed(
  { location, meta, landing, before, signal }: Attempt,
  next: StoreHead,
  states: readonly MetaRow[],
): Promise<(StoredHead & { readonly head: StoreHead }) | null> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await landing()
      .then((table) => replaceHead(table, before, { next, states }))
      .then(
        (isReplaced) => ({ isReplaced, error: null }),
        (error: unknown) => ({ isReplaced: false, error }),
      )
    await meta.checkoutLatest()
    const { head, ...stored } = await readStoredHead(meta)
    if (head !== null && includesCommit(head, next.commit)) return { ...stored, head }
    if (reply.isReplaced) throw notKept(location)
    if (reply.error === null || stored.text !== before.text) return null
    if (!isRemote(location) || !isPassing(reply.error) || attempt > mostFailures) throw reply.error
    await pause(attempt, signal)
  }
}

const notKept = (location: StoreLocation): StoreError =>
  new StoreError(
    `The store in ${location} lost a commit that it had taken: two writers were told that they were first.`,
    'Run `audition doctor`, and do not let several write it until that says why.',
    { reason: 'it lost a commit that it had taken' },
  )

const tookTooLong = (location: StoreLocation): StoreError =>
  new StoreError(
    `The store in ${location} was not changed: the commit took longer than ${graceMs / 2 / 3_600_000} hours, after which others may take its tables for left behind.`,
    'Index fewer sources at a time.',
    { reason: 'a commit took too long' },
  )
