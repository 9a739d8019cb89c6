import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import { storeFolder } from './adapters/lancedb/stores.ts'
import { folderWith } from './catalog/temporary-folder.ts'

const description = 'Reviews leases and lists their risky clauses'
const subagent = (name: string) =>
  `---\nname: ${name}\ndescription: Reviews a lease for risky clauses\n---\nDo it.\n`
const profile = (name: string, command: string, said = description) =>
  [
    'profile: audition/v1',
    `name: ${name}`,
    `description: ${said}`,
    `run: { command: ${JSON.stringify(command)} }`,
    '',
  ].join('\n')

/** Agents that say much the same: one may start, one is not allowed, one has no program, two need a model that is not there. */
async function house() {
  const agents = folderWith({
    'allowed.yaml': profile('allowed', process.execPath),
    'stranger.yaml': profile('stranger', '/bin/sh'),
    'gone.yaml': profile('gone', '/no/such/program'),
    'baker.yaml': profile('baker', process.execPath, 'Bakes bread'),
    '.claude/agents/one.md': subagent('one'),
    '.claude/agents/two.md': subagent('two'),
  })
  const settings = join(
    folderWith({ 'settings.yaml': `allow: ["command:${process.execPath}*"]\n` }),
    'settings.yaml',
  )
  const audition = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: storeFolder(),
      AUDITION_SETTINGS: settings,
      PATH: process.env.PATH,
    }),
  )
  onTestFinished(() => audition.close())
  await audition.index({ locations: [agents] })
  const search = async (filter: { readonly hasRuntime?: true }, k = 5, pack?: 'ranking') => {
    const request = { kind: 'agent', query: 'review a lease for risky clauses', k, filter } as const
    const { candidates } = await audition.search({ ...request, ...(pack === undefined ? {} : { pack }) })
    return candidates.map(({ card, signals }) => ({ name: card.name, obstacle: signals.obstacle }))
  }
  return { search }
}

describe('a search for what is to be run', () => {
  test('what can run here leads, then what need only be allowed; the others say what is missing', async () => {
    const { search } = await house()
    const found = await search({ hasRuntime: true })
    expect(found.slice(0, 2)).toMatchObject([
      { name: 'allowed' },
      { name: 'stranger', obstacle: { kind: 'permission', missing: ['command:/bin/sh'] } },
    ])
    expect(found[0]!.obstacle).toBeUndefined()
    expect(
      found
        .slice(2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['gone', 'one', 'two'])
    for (const { obstacle } of found.slice(2))
      expect(obstacle).toMatchObject({
        kind: 'runtime',
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\S/),
      })
  })

  test('one that can run comes in for one that cannot, and one that does something else does not', async () => {
    const { search } = await house()
    const [first] = await search({}, 1)
    expect(['one', 'two']).toContain(first!.name)
    expect(await search({ hasRuntime: true }, 1)).toEqual([{ name: 'allowed', obstacle: undefined }])
    expect((await search({ hasRuntime: true }, 5)).map(({ name }) => name)).not.toContain('baker')
  })

  test('who does not ask for running, or wants the bare ranking, gets the order of the ranking', async () => {
    const { search } = await house()
    const plain = await search({})
    expect(plain.every(({ obstacle }) => obstacle === undefined)).toBe(true)
    const bare = await search({ hasRuntime: true }, 5, 'ranking')
    expect(bare.map(({ name }) => name)).toEqual(plain.map(({ name }) => name))
  })
})
