import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Connection } from '@lancedb/lancedb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { makePointed, openPointed } from '../../../src/adapters/lancedb/pointed-table.ts'
import { storeFolder } from './stores.ts'

let folder: string
let connection: Connection
beforeEach(async () => {
  folder = storeFolder()
  connection = await connectTo(folder)
})
afterEach(() => connection.close())

const making = (maker: number) =>
  makePointed(connection, 'notes', (name) => connection.createTable(name, [{ maker }]))

test('of those that make it at the same time all get the table that was first', async () => {
  const made = await Promise.all([1, 2, 3, 4].map(making))
  const names = new Set(made.map(({ name }) => name))
  expect(names.size).toBe(1)
  expect((await openPointed(connection, 'notes'))!.name).toBe([...names][0])
  expect(await made[0]!.countRows()).toBe(1)
  expect((await connection.tableNames()).filter((name) => name.startsWith('notes-'))).toHaveLength(2)
})

test('whoever comes late and writes over the pointer changes nothing', async () => {
  const { name } = await making(1)
  await connection.createTable('notes-root', [{ name: 'notes-of-somebody-else' }], { mode: 'overwrite' })
  expect((await openPointed(connection, 'notes'))!.name).toBe(name)
  expect((await making(2)).name).toBe(name)
})

test('one that was made before there were pointers is found', async () => {
  expect(await openPointed(connection, 'notes')).toBeNull()
  await connection.createTable('notes', [{ maker: 1 }])
  expect((await openPointed(connection, 'notes'))!.name).toBe('notes')
})

describe('a pointer with files and no version', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'notes-root.lance', 'data'), { recursive: true })
    writeFileSync(join(folder, 'notes-root.lance', 'data', 'some.lance'), 'x')
  })

  test('is waited for, since somebody may be making it', async () => {
    const opened = openPointed(connection, 'notes')
    await setTimeout(400)
    rmSync(join(folder, 'notes-root.lance'), { recursive: true })
    const { name } = await making(1)
    expect((await opened)?.name).toBe(name)
  })

  test('is none in the end, and may be made', async () => {
    expect(await openPointed(connection, 'notes')).toBeNull()
    const { name } = await making(1)
    expect((await openPointed(connection, 'notes'))?.name).toBe(name)
  })
})
