import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { acceptCards, decideTrust } from '../../../src/trust/review/decide.ts'
import { refuseCards } from '../../../src/trust/review/refuse.ts'
import { removeSources } from '../../../src/trust/review/retire.ts'
import { notesServer, type ServerSays } from '../../attacks/rug-pull/notes-server.ts'
import { hostConfig, memoryStage } from './memory-stage.ts'

type MemoryStage = ReturnType<typeof memoryStage>

const id = 'notes/read_note'
const words = 'Read it all.'

/** The server with other words for one tool, and whatever else is new. */
const saying = (read: string, more: Partial<ServerSays> = {}): ServerSays => ({
  ...notesServer,
  tools: notesServer.tools.map((tool) => (tool.name === 'read_note' ? { ...tool, description: read } : tool)),
  ...more,
})
const reads = async (stage: MemoryStage, says: ServerSays): Promise<void> => {
  await stage.say(says)
  await stage.index()
}
const described = async (stage: MemoryStage, card = id): Promise<string | undefined> =>
  (await stage.cards()).find((one) => one.id === card)?.description
const heldOf = async (stage: MemoryStage, source = 'notes') => {
  const review = (await stage.catalog.reader().reviews()).find(({ key }) => key === source)
  return review?.held.map(({ card, refused, change }) => [card.id, refused === true, change])
}
const refuse = (stage: MemoryStage) => stage.write((writer) => refuseCards(writer, [id]))
const accept = (stage: MemoryStage) => stage.write((writer) => acceptCards(writer, [id]))
const trust = (stage: MemoryStage) => stage.write((writer) => decideTrust(writer, ['notes'], 'trusted'))

/** A server whose change of a tool the user refused. */
async function refused(): Promise<MemoryStage> {
  const stage = memoryStage()
  await stage.index()
  await reads(stage, saying(words))
  await refuse(stage)
  return stage
}

/** One whose change they accepted first. */
async function takenBack(): Promise<MemoryStage> {
  const stage = memoryStage()
  await stage.index()
  await reads(stage, saying(words))
  await accept(stage)
  await refuse(stage)
  return stage
}

describe('a refused change', () => {
  const leaves = async (stage: MemoryStage) => {
    writeFileSync(stage.config, JSON.stringify({ mcpServers: {} }))
    await stage.index()
    writeFileSync(stage.config, hostConfig('notes'))
  }
  const forgotten = (stage: MemoryStage) => stage.write((writer) => removeSources(writer, ['notes']))

  test.each([
    ['went and came back', leaves],
    ['was removed', forgotten],
  ])('stays refused when its source %s', async (_, goes) => {
    const stage = await refused()
    await goes(stage)
    await stage.index()
    expect(await heldOf(stage)).toEqual([[id, true, 'text']])
    expect(await described(stage)).toContain('Markdown')
    await reads(stage, notesServer)
    expect(await heldOf(stage)).toEqual([])
  })

  test('is refused of a second entry for the same server', async () => {
    const stage = await refused()
    const { notes } = JSON.parse(hostConfig('notes')).mcpServers
    writeFileSync(stage.config, JSON.stringify({ mcpServers: { notes, other: notes } }))
    await stage.index()
    const held = [['other/read_note', true, 'text']]
    expect(await heldOf(stage, 'other')).toEqual(held)
    // Takes what the refused one takes, which is still there: it is no other name of it.
    const [like] = saying('Opens a window.').tools.filter(({ name }) => name === 'read_note')
    await reads(stage, saying(words, { tools: [...saying(words).tools, { ...like!, name: 'show_window' }] }))
    expect(await heldOf(stage, 'other')).toEqual(held)
  })
})

describe('a server that calls itself otherwise', () => {
  const renamed = saying(words, { name: 'jottings' })

  test.each([
    ['held', refused, 'text'],
    ['taken back', takenBack, undefined],
  ] as const)('gets in nothing that was refused as it was %s', async (_, before, change) => {
    const stage = await before()
    await trust(stage)
    for (const name of ['jottings', 'scribbles', 'notes']) {
      await reads(stage, saying(words, { name }))
      expect(await described(stage)).not.toBe(words)
      expect(await heldOf(stage)).toEqual([[id, true, change]])
    }
  })

  test('does not bring it back after it was away', async () => {
    const stage = await takenBack()
    await trust(stage)
    await reads(stage, saying(words, { name: 'jottings', tools: notesServer.tools.slice(3) }))
    await reads(stage, renamed)
    expect(await described(stage)).toBeUndefined()
    expect(await heldOf(stage)).toEqual([[id, true, undefined]])
  })

  test('is not trusted either: the refusal holds, and goes when the text is accepted', async () => {
    const stage = await takenBack()
    await reads(stage, renamed)
    expect(await heldOf(stage)).toContainEqual([id, true, 'server'])
    await accept(stage)
    expect(await described(stage)).toBe(words)
    expect((await stage.review())?.gone).toEqual([])
  })
})

describe('a copy under another name of what was refused', () => {
  const both = saying(words)
  const copy = both.tools
    .filter(({ name }) => name === 'read_note')
    .map((tool) => ({ ...tool, name: 'open_note' }))
  const copied = { ...both, tools: [...both.tools, ...copy] }

  test.each([
    ['held', refused],
    ['taken back', takenBack],
  ])('waits though that is still listed, as it was %s', async (_, before) => {
    const stage = await before()
    for (let run = 0; run < 2; run += 1) {
      await reads(stage, copied)
      expect(await described(stage, 'notes/open_note')).toBeUndefined()
      expect(await heldOf(stage)).toContainEqual(['notes/open_note', false, 'name'])
    }
    await stage.write((writer) => acceptCards(writer, ['notes/open_note']))
    await stage.index()
    expect(await described(stage, 'notes/open_note')).toBe(words)
    expect(await described(stage)).not.toBe(words)
  })

  test('leaves any other new tool alone', async () => {
    const stage = await takenBack()
    const other = copy.map((tool) => ({ ...tool, description: 'Opens a note in a window.' }))
    await reads(stage, { ...both, tools: [...both.tools, ...other] })
    expect(await described(stage, 'notes/open_note')).toBe('Opens a note in a window.')
  })
})
