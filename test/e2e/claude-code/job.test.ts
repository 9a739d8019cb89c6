import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobLog } from './job-log.ts'
import { patch, projectWithPlugin } from './project.ts'
import { blocksOf, claude, hasClaudeCode, loadedBy, resultOf, session, title } from './session.ts'

const plugin = 'mcp__plugin_audition_audition__'
const log = jobLog()

let project: Awaited<ReturnType<typeof projectWithPlugin>>

beforeAll(async () => {
  if (hasClaudeCode) project = await projectWithPlugin()
}, 300_000)

afterAll(() => {
  if (!hasClaudeCode) return
  log.write(project.folder)
  project.remove()
})

type Found = {
  readonly candidates: readonly { readonly id: string; readonly call?: string; readonly reach?: string }[]
}

describe.skipIf(!hasClaudeCode)(title, () => {
  test('searches, loads, calls, and what was called through Audition is in its record', async () => {
    const first = (result: string) => (JSON.parse(result) as Found).candidates[0]!
    let exact = ''
    const { asked, answer } = await session({
      ...project.asking(
        'How many working days are there from 1 to 24 December 2026, and how many words has "to be or not to be"?',
      ),
      turns: [
        () => ({
          name: `${plugin}search_tools`,
          input: { query: 'count business days from a first to a last date' },
        }),
        (body) => {
          exact = first(resultOf(body)).call!
          return { name: 'ToolSearch', input: { query: `select:${exact}` } }
        },
        () => ({ name: exact, input: { first: '2026-12-01', last: '2026-12-24' } }),
        () => ({ name: `${plugin}search_tools`, input: { query: 'count the words of a text' } }),
        (body) => ({
          name: `${plugin}call_tool`,
          input: { id: first(resultOf(body)).id, arguments: { text: 'to be or not to be' } },
        }),
        () => '18 working days, and 6 words.',
      ],
    })
    const record = await project.audition('record')
    log.job('One whole job', asked, [`$ audition record`, record.trimEnd()])
    expect(answer).toBe('18 working days, and 6 words.')
    expect(exact).toBe('mcp__calendar__count_business_days')
    expect(asked[0]!.tools!.map(({ name }) => name)).toContain(`${plugin}search_tools`)
    const results = asked.slice(1).map(resultOf)
    expect(loadedBy(asked[2]!)).toEqual([exact])
    expect(results[2]).toContain('18')
    expect(results[3]).toContain('through audition')
    expect(results[4]).toContain('"words":6')
    expect(record).toContain('text/count_words')
  })

  test.each([
    { query: 'Arbeitstage zwischen zwei Terminen zählen', wanted: 'mcp__calendar__count_business_days' },
    { query: 'how old is somebody born in 1980', wanted: 'mcp__calendar__age_at' },
  ])('ToolSearch gets the matches of Audition before its own: $query', async ({ query, wanted }) => {
    const turns = [() => ({ name: 'ToolSearch', input: { query } })]
    const search = (settings: object) =>
      session({ ...project.asking('Look for the tool that we need.'), turns, settings })
    const without = await search({ disableAllHooks: true })
    const withHook = await search({})
    log.job(`ToolSearch "${query}", without the hook`, without.asked, [])
    log.job(`ToolSearch "${query}", with the hook`, withHook.asked, [])
    const [own, both] = [loadedBy(without.asked[1]!), loadedBy(withHook.asked[1]!)]
    expect(own).not.toContain(wanted)
    expect(both[0]).toBe(wanted)
    expect(both).toEqual(expect.arrayContaining([...own]))
    const sent = withHook.asked[1]!.tools!.map(({ name }) => name)
    expect(sent).toEqual(expect.arrayContaining([...both]))
  })

  test.each([
    { prompt: 'Is the deposit clause in this rental contract fair?', isTold: true },
    { prompt: 'Why is the build on the main branch red today?', isTold: false },
  ])('a prompt gets a hint: $isTold', async ({ prompt, isTold }) => {
    const { asked } = await session({ ...project.asking(prompt), turns: [() => 'Yes.'] })
    log.job(isTold ? 'A prompt that an installed agent fits' : 'A prompt that none fits', asked, [])
    const texts = blocksOf(asked[0]!).map(({ text }) => text ?? '')
    const hint =
      'Audition found an installed agent that fits this request: Agent tool, subagent_type "lease-reviewer"'
    expect(texts.some((text) => text.includes(hint))).toBe(isTold)
    expect(texts.some((text) => text.includes('Audition found'))).toBe(isTold)
  })

  test('/audition asks the model to search', async () => {
    const { asked } = await session({
      ...project.asking('/audition count the words of a text'),
      turns: [() => 'Yes.'],
    })
    const texts = blocksOf(asked[0]!).map(({ text }) => text ?? '')
    expect(texts.some((text) => /count the words of a text[\s\S]*`search_tools`/.test(text))).toBe(true)
  })

  test('goes on as without the plugin when Audition is gone', async () => {
    const moved = join(project.folder, 'moved')
    cpSync(project.plugin, moved, { recursive: true })
    const main = JSON.stringify(project.main)
    for (const path of [join(moved, 'hooks', 'hooks.json'), join(moved, '.mcp.json')])
      patch(path, main, '"/gone/main.js"')
    const turns = [
      () => ({ name: 'ToolSearch', input: { query: 'how old is somebody' } }),
      () => 'Still here.',
    ]
    const { asked, answer } = await session({
      ...project.asking('Please review my lease before I sign it'),
      turns,
      argv: ['--plugin-dir', moved],
    })
    expect(answer).toBe('Still here.')
    expect(asked).toHaveLength(2)
    const texts = asked.flatMap((body) => blocksOf(body).map(({ text }) => text ?? ''))
    expect(texts.filter((text) => /hook\.mjs|\/gone\/|hook error|hook additional/i.test(text))).toEqual([])
    expect(loadedBy(asked[1]!)).not.toEqual([])
  })

  test('finds nothing wrong with the plugin, and installs it from its folder', async () => {
    const { plugin } = project
    expect(await claude(['plugin', 'validate', '--strict', plugin], project)).toContain('Validation passed')
    await claude(['plugin', 'marketplace', 'add', plugin], project)
    await claude(['plugin', 'install', 'audition@audition'], project)
    expect(await claude(['plugin', 'list'], project)).toContain('audition@audition')
  })
})
