import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DatasetError } from '../../../src/evaluation/datasets/dataset.ts'
import { bundled } from '../../../src/evaluation/datasets/bundled.ts'
import { readHarvests, writeHarvests } from '../../../src/evaluation/datasets/bundled-tools.ts'
import { root } from '../../catalog-bundled/built-catalog.ts'

const committed = join(root, 'evals', 'bundled')

describe('the recipe of the bundled set', () => {
  test('reads both parts over one catalog of tools, profiles and toolkits', async () => {
    expect(bundled.recognises(committed)).toBe(true)
    const { parts, headline } = await bundled.read(committed, [])
    expect(parts.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'bundled-tools: tool',
      'bundled-agents: agent',
    ])
    expect(parts[0]!.cards).toBe(parts[1]!.cards)
    const kinds = parts[0]!.cards.map((card) => (card.kind === 'agent' ? card.agentKind : card.kind))
    const count = (kind: string) => kinds.filter((other) => other === kind).length
    expect([count('tool'), count('toolkit'), count('profile')]).toEqual([62, 3, 70])
    expect(headline[0]).toBe('ndcg@10')
  })

  test('asks for one candidate of grade 2 where a query states no needs, and for nothing where nothing fits', async () => {
    const { parts } = await bundled.read(committed, ['bundled-tools'])
    expect(parts.map(({ name }) => name)).toEqual(['bundled-tools'])
    const asked = (text: string) => parts[0]!.queries.find((query) => query.text.startsWith(text))
    expect(asked('this list is a mess')).toMatchObject({
      group: 'vague',
      needs: [['audition-text/dedupe_lines', 'audition-text/sort_lines']],
    })
    expect(asked('play some relaxing jazz')).toEqual({
      id: expect.any(String),
      text: 'play some relaxing jazz',
      group: 'nothing-fits',
      grades: new Map(),
    })
  })

  test.each([
    { why: 'a file', path: join(committed, 'queries.jsonl') },
    { why: 'another folder', path: root },
    { why: 'nothing', path: join(root, 'no-such-folder') },
  ])('does not claim $why', ({ path }) => {
    expect(bundled.recognises(path)).toBe(false)
  })

  test('says which parts there are when another one is asked for', async () => {
    await expect(bundled.read(committed, ['bundled-skills'])).rejects.toMatchObject({
      message: expect.stringContaining('"bundled-skills"'),
      remedy: expect.stringContaining('bundled-tools, bundled-agents'),
    })
  })

  test('recorded harvests are read back as they were written', () => {
    const file = join(committed, 'tools.jsonl')
    expect(writeHarvests(readHarvests(file))).toBe(readFileSync(file, 'utf8'))
  })
})

describe('a damaged copy of the set', () => {
  let package_: string
  beforeEach(() => {
    package_ = mkdtempSync(join(tmpdir(), 'audition-bundled-'))
    cpSync(committed, join(package_, 'evals', 'bundled'), { recursive: true })
    cpSync(join(root, 'catalog', 'mcp.json'), join(package_, 'catalog', 'mcp.json'))
    cpSync(join(root, 'catalog', 'profiles'), join(package_, 'catalog', 'profiles'), { recursive: true })
  })
  afterEach(() => rmSync(package_, { recursive: true, force: true }))

  const append = (file: string, line: string) => () => appendFileSync(join(package_, file), `${line}\n`)

  test('is read when nothing is damaged', async () => {
    await expect(bundled.read(join(package_, 'evals', 'bundled'), [])).resolves.toBeDefined()
  })

  test.each([
    {
      why: 'a label names no card',
      damage: append('evals/bundled/qrels.tsv', 't001\taudition-text/count_wrods\t2'),
      tells: /t001 judges "audition-text\/count_wrods", which is no tool/,
    },
    {
      why: 'a tool query judges an agent',
      damage: append('evals/bundled/qrels.tsv', 't001\tcatalog-profiles/lease-reviewer\t2'),
      tells: /t001 judges "catalog-profiles\/lease-reviewer", which is no tool/,
    },
    {
      why: 'a judged query is not asked',
      damage: append('evals/bundled/qrels.tsv', 't999\taudition-text/count_words\t2'),
      tells: /t999 is judged but not asked/,
    },
    {
      why: 'a label is given twice',
      damage: append('evals/bundled/qrels.tsv', 't001\taudition-arithmetic/evaluate_expression\t1'),
      tells: /qrels\.tsv, line \d+: judges ".*" of "t001" a second time/,
    },
    {
      why: 'a grade is no number',
      damage: append('evals/bundled/qrels.tsv', 't001\taudition-text/count_words\tgood'),
      tells: /qrels\.tsv, line \d+: not an id, an id and a grade/,
    },
    {
      why: 'a query is of no part',
      damage: append(
        'evals/bundled/queries.jsonl',
        '{"id":"x1","part":"skills","group":"vague","text":"hm"}',
      ),
      tells: /x1 belongs to no part "skills"/,
    },
    {
      why: 'a query repeats an id',
      damage: append(
        'evals/bundled/queries.jsonl',
        '{"id":"t001","part":"bundled-tools","group":"vague","text":"hm"}',
      ),
      tells: /queries\.jsonl, record \d+: repeats the id "t001"/,
    },
    {
      why: 'a query has no text',
      damage: append('evals/bundled/queries.jsonl', '{"id":"x1","part":"bundled-tools","group":"vague"}'),
      tells: /queries\.jsonl, record \d+: text: /,
    },
    {
      why: 'a step needs what is not judged to serve',
      damage: append(
        'evals/bundled/queries.jsonl',
        '{"id":"x1","part":"bundled-tools","group":"multi-step","text":"hm","needs":[["audition-text/count_words"]]}',
      ),
      tells: /x1 needs "audition-text\/count_words", which has no grade 2/,
    },
    {
      why: 'a line of the tools is cut',
      damage: append('evals/bundled/tools.jsonl', '{"entry":"audition-text","tool":'),
      tells: /tools\.jsonl, line \d+/,
    },
    {
      why: 'a tool belongs to no recorded server',
      damage: append('evals/bundled/tools.jsonl', '{"entry":"audition-weather","tool":{"name":"rain"}}'),
      tells: /tools\.jsonl, record \d+: neither a server nor a tool of one/,
    },
    {
      why: 'the configuration names a server more',
      damage: () => {
        const file = join(package_, 'catalog', 'mcp.json')
        const config = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }
        const mcpServers = { ...config.mcpServers, more: { command: 'node', args: ['more.js'] } }
        writeFileSync(file, JSON.stringify({ mcpServers }))
      },
      tells: /names audition-arithmetic, audition-calendar, audition-text, more/,
    },
    {
      why: 'a profile is refused',
      damage: append('catalog/profiles/lease-reviewer.yaml', 'colour: blue'),
      tells: /lease-reviewer\.yaml: .*"colour"/,
    },
  ])('is refused when $why', async ({ damage, tells }) => {
    damage()
    const reading = bundled.read(join(package_, 'evals', 'bundled'), [])
    await expect(reading).rejects.toThrow(DatasetError)
    await expect(reading).rejects.toThrow(tells)
  })
})
