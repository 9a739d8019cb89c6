import { describe, expect, test } from 'vitest'
import type { SourceState } from '../../src/store/source-state.ts'
import { emptyReview, reviewOfPlace } from '../../src/store/source-review.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const source = (parts: Partial<SourceState> = {}): SourceState => ({
  id: 'agents',
  location: '/home/ann/agents',
  reader: 'claude-subagent',
  indexedAt: '2026-11-20T10:30:12.000Z',
  tools: 0,
  agents: 24,
  problems: [],
  ...parts,
})

const problems = [
  {
    severity: 'error',
    file: 'agents/a.md',
    field: 'name',
    message: 'is missing',
    remedy: 'Add a name.',
  },
] as const

const three = [
  source(),
  source({ id: 'half', problems }),
  source({ id: 'tracker', indexedAt: null, failure: 'did not answer within 30 s', tools: 7, agents: 1 }),
]

/** An Audition with these sources, and the ids it was told to forget. */
function having(sources: readonly SourceState[]) {
  const forgotten: string[] = []
  const audition = scriptedAudition({
    sources: async () => sources,
    removeSources: async (ids) => void forgotten.push(...ids),
  })
  return { audition, forgotten }
}

describe('the standing of sources', () => {
  const dump = source({
    id: 'dump',
    location: '/data/tools.jsonl',
    reader: 'toolret-jsonl',
    agents: 0,
    tools: 9,
  })
  const far = source({ id: 'far', location: 'https://example.org/agents.json', standing: 'distrusted' })
  const against = [
    { source: 'dump', standing: 'stranger' as const, shaped: [], copies: ['dump/a', 'dump/b'] },
    { source: 'far', standing: 'distrusted' as const, shaped: ['far/x'], copies: [] },
  ]
  const audition = {
    ...having([source(), dump, far]).audition,
    standingBack: async () => against,
  }

  test('is told with what the defences hold against them, and the command that lifts it', async () => {
    const { stdout } = await runCaptured(['sources'], audition)
    expect(stdout).toMatch(/agents .* installed /)
    expect(stdout).toMatch(/dump .* stranger /)
    const said = stdout.replaceAll(/\s+/g, ' ')
    expect(said).toContain(
      '2 cards of "dump" stand back because the source mostly copies cards of other sources; `audition sources trust dump` lifts it.',
    )
    expect(said).toContain('1 card of "far" stands behind all others because you distrust the source')
    const shown = await runCaptured(['sources', 'show', 'dump'], audition)
    expect(shown.stdout).toContain('stranger: others published it')
    expect(shown.stdout).toContain('2 cards of "dump" stand back')
  })

  test('is told in JSON', async () => {
    const { stdout } = await runCaptured(['sources', '--json'], audition)
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'agents', standing: 'installed' },
      {
        id: 'dump',
        standing: 'stranger',
        standsBack: [{ cards: 2, why: expect.any(String), lift: 'audition sources trust dump' }],
      },
      { id: 'far', standing: 'distrusted', standsBack: [{ cards: 1 }] },
    ])
  })

  test('is told by doctor where cards stand back', async () => {
    const { stdout } = await runCaptured(['doctor', '--json'], audition)
    const findings = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === 'sources')
    expect(findings[0]).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('2 cards of "dump" stand back because'),
      remedy: 'If you trust what it says, `audition sources trust dump` lifts it.',
    })
  })
})

describe('audition sources', () => {
  test('lists them with counts, time and state', async () => {
    const { code, stdout } = await runCaptured(['sources'], having(three).audition)
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "source   tools  agents  standing   indexed           state                               location
      agents       0      24  installed  2026-11-20 10:30  ok                                  /home/ann/agents
      half         0      24  installed  2026-11-20 10:30  1 problem                           /home/ann/agents
      tracker      7       1  installed  never             failed: did not answer within 30 s  /home/ann/agents

      The bundled catalog is off, since you have sources of your own. \`audition index bundled\` switches it on, \`audition index bundled:demo\` the agents of the demonstration.
      "
    `)
  })

  test('--json prints them as they are, each with its standing', async () => {
    const { stdout } = await runCaptured(['sources', '--json'], having(three).audition)
    expect(JSON.parse(stdout)).toEqual(three.map((one) => ({ ...one, standing: 'installed' })))
  })

  test('says what to do when there are none', async () => {
    const { code, stdout } = await runCaptured(['sources'], having([]).audition)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing is indexed yet. Run `audition index`.\n' })
  })

  test('show lists the problems of one', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'half'], having(three).audition)
    expect(stdout).toContain('left out  agents/a.md name: is missing')
    expect(stdout).toContain('Add a name.')
  })

  test('show says why the last run failed, and that the old cards stay', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'tracker'], having(three).audition)
    expect(stdout).toContain('The last run failed: did not answer within 30 s')
    expect(stdout).toContain('Its old cards stay.')
  })

  test.each([
    { id: 'traker', says: 'no source "traker".\n  Closest ids: tracker.' },
    { id: 'qqqq', says: 'no source "qqqq".\n  Run `audition sources` for their ids.' },
  ])('show of "$id" offers ids like it, where there are any', async ({ id, says }) => {
    const { code, stderr } = await runCaptured(['sources', 'show', id], having(three).audition)
    expect(code).toBe(1)
    expect(stderr).toContain(says)
  })

  test('show --json prints one', async () => {
    const { stdout } = await runCaptured(['sources', 'show', 'half', '--json'], having(three).audition)
    expect(JSON.parse(stdout)).toEqual({ ...three[1], standing: 'installed' })
  })

  test('remove forgets each once', async () => {
    const { audition, forgotten } = having(three)
    const { code, stdout } = await runCaptured(['sources', 'remove', 'half', 'agents', 'half'], audition)
    expect({ code, forgotten }).toEqual({ code: 0, forgotten: ['half', 'agents'] })
    expect(stdout).toContain('Forgot half, agents.')
  })

  test('remove takes a folder for all that was read from it, and an id before a folder of its name', async () => {
    const sources = [
      source({ id: 'team', location: '/home/ann/catalog/team' }),
      source({ id: 'tools', location: '/home/ann/catalog/tools.jsonl' }),
      source({ id: 'catalog', location: '/home/ann/catalogs' }),
      source({ id: 'web', location: 'https://example.org/home/ann/catalog' }),
    ]
    const at = async (cwd: string, word: string) => {
      const { audition, forgotten } = having(sources)
      const { code } = await runCaptured(['sources', 'remove', word], audition, { cwd })
      return [code, ...forgotten]
    }
    expect(await at('/home/ann', './catalog')).toEqual([0, 'team', 'tools'])
    expect(await at('/elsewhere', '/home/ann/catalog/tools.jsonl')).toEqual([0, 'tools'])
    expect(await at('/home/ann', 'catalog')).toEqual([0, 'catalog'])
    expect(await at('/home/ann', './cat')).toEqual([1])
  })

  test('remove forgets nothing when one id is unknown', async () => {
    const { audition, forgotten } = having(three)
    const { code, stderr } = await runCaptured(['sources', 'remove', 'agents', 'nobody'], audition)
    expect({ code, forgotten }).toEqual({ code: 1, forgotten: [] })
    expect(stderr).toContain('no source "nobody"')
  })

  test.each([
    { why: "is off beside the user's own", reviews: [], says: 'The bundled catalog is off' },
    {
      why: 'was removed',
      reviews: [{ ...emptyReview('bundled:profiles'), bundled: 'removed' as const }],
      says: 'The bundled catalog was removed',
    },
  ])('says that the bundled catalog $why, and how to have it', async ({ reviews, says }) => {
    const audition = scriptedAudition({ sources: async () => three, reviews: async () => reviews })
    const { stdout } = await runCaptured(['sources'], audition)
    expect(stdout).toContain(says)
    expect(stdout).toContain('`audition index bundled`')
  })

  test('and `doctor` list the files that were left out of folders', async () => {
    const leftOut = { ...problems[0], file: '/home/ann/tools/half.json' }
    const place = reviewOfPlace({ folder: '/home/ann/tools', problems: [leftOut] })
    const audition = scriptedAudition({ sources: async () => [source()], reviews: async () => [place] })
    const listed = await runCaptured(['sources'], audition)
    expect(listed.stdout).toContain('left out  /home/ann/tools/half.json name: is missing')
    const { stdout } = await runCaptured(['doctor'], audition)
    expect(stdout).toContain('sources: left out: /home/ann/tools/half.json name: is missing')
    expect(stdout).not.toContain('read without a problem')
  })

  test('that failed for one reason are one finding of `doctor`', async () => {
    const failure = 'tools: does not exist. Check the path.'
    const gone = [source({ id: 'a', failure }), source({ id: 'b', failure })]
    const { stdout } = await runCaptured(['doctor'], scriptedAudition({ sources: async () => gone }))
    expect(stdout).toContain('sources: a, b could not be read: tools: does not exist. Check the path.\n')
    expect(stdout.match(/does not exist/g)).toHaveLength(1)
  })

  test('says nothing of the bundled catalog where it is in the list', async () => {
    const ours = source({ id: 'catalog-profiles', location: 'bundled:profiles' })
    const { stdout } = await runCaptured(['sources'], having([ours]).audition)
    expect(stdout).not.toContain('index bundled')
  })

  test.each(['bundled', 'catalog-profiles'])('remove %s says how it comes back', async (word) => {
    const ours = source({ id: 'catalog-profiles', location: 'bundled:profiles' })
    const { audition, forgotten } = having([ours])
    const { code, stdout } = await runCaptured(['sources', 'remove', word], audition)
    expect({ code, forgotten }).toEqual({ code: 0, forgotten: [word] })
    expect(stdout).toContain('`audition index bundled` brings the bundled catalog back')
  })

  test('remove without an id ends with 2', async () => {
    const { code } = await runCaptured(['sources', 'remove'], having(three).audition)
    expect(code).toBe(2)
  })
})
