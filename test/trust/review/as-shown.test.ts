import { expect, test } from 'vitest'
import { ChangedSinceShownError } from '../../../src/trust/review/as-shown.ts'
import { acceptCards } from '../../../src/trust/review/decide.ts'
import { refuseCards, takeBackCards } from '../../../src/trust/review/refuse.ts'
import { notesServer } from '../../attacks/rug-pull/notes-server.ts'
import { memoryStage } from './memory-stage.ts'

const id = 'notes/read_note'

/** A server whose tool says one text after another; the pin of each as it was held. */
async function saysOften(...texts: readonly string[]) {
  const stage = memoryStage()
  await stage.index()
  const pins: string[] = []
  for (const description of texts) {
    const tools = notesServer.tools.map((tool) =>
      tool.name === 'read_note' ? { ...tool, description } : tool,
    )
    await stage.say({ ...notesServer, tools })
    await stage.index()
    pins.push((await stage.review())!.held.find(({ card }) => card.id === id)!.pin)
  }
  const described = async () => (await stage.cards()).find((card) => card.id === id)?.description
  return { stage, pins, described }
}

const shown = (pin: string | undefined): ReadonlyMap<string, string> => new Map([[id, pin!]])

test.each([
  ['accepted', acceptCards],
  ['refused', refuseCards],
])('a text that nobody was shown is not %s in place of the one that was', async (_, decide) => {
  const { stage, pins, described } = await saysOften('Read one note, shown.', 'Nobody was shown this.')
  const before = [await stage.review(), await described()]
  await expect(stage.write((writer) => decide(writer, [id], shown(pins[0])))).rejects.toThrow(
    ChangedSinceShownError,
  )
  expect([await stage.review(), await described()]).toEqual(before)
  await stage.write((writer) => decide(writer, [id], shown(pins[1])))
  expect([await stage.review(), await described()]).not.toEqual(before)
})

test('of what was accepted that text is taken back which was shown', async () => {
  const { stage, pins, described } = await saysOften('Read one note, shown.')
  await stage.write((writer) => acceptCards(writer, [id], shown(pins[0])))
  const taking = (pin: string) => stage.write((writer) => takeBackCards(writer, [id], shown(pin)))
  await expect(taking('another')).rejects.toThrow(/is not accepted as it was shown/)
  expect(await described()).toBe('Read one note, shown.')
  await taking(pins[0]!)
  expect(await described()).toBeUndefined()
})
