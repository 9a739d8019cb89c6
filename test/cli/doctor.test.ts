import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Audition, StoreDiagnosis } from '../../src/compose/app.ts'
import { HarvestError } from '../../src/catalog/ports.ts'
import type { StoreRepair } from '../../src/store/diagnosis.ts'
import { ownLaunch } from '../../src/cli/ask/host-launch.ts'
import { judgeVersion } from '../../src/cli/commands/doctor.ts'
import { LanguageModelError } from '../../src/evaluation/evaluation-settings.ts'
import { packageVersion } from '../../src/package-version.ts'
import { RuntimeError } from '../../src/probing/ports.ts'
import { EmbeddingModelError } from '../../src/retrieval/rank/embedding-model-error.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import type { Probing } from '../../src/probing/run/probing.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const diagnosis = (parts: Partial<StoreDiagnosis> = {}): StoreDiagnosis => ({
  location: '/home/ann/.local/share/audition',
  state: 'ready',
  generation: 4,
  tools: 120,
  agents: 24,
  bytes: 3 * 1024 * 1024,
  storedModel: null,
  configuredModel: null,
  ...parts,
})

const source = {
  id: 'agents',
  location: '/home/ann/agents',
  reader: 'claude-subagent',
  indexedAt: '2026-11-20T10:30:12.000Z',
  tools: 0,
  agents: 24,
  problems: [],
}

const keepsNoSecrets = {
  maskKept: async () => ({ outcomes: 0, transcripts: 0 }),
} as unknown as Probing

const installation = (parts: Partial<Audition> = {}, store: Partial<StoreDiagnosis> = {}): Audition =>
  scriptedAudition({
    diagnose: async () => diagnosis(store),
    sources: async () => [source],
    reranker: async () => null,
    repair: async () => ({ steps: [], damagedFolder: null, toReadAgain: [] }),
    tryOwnEntry: answers,
    probing: async () => keepsNoSecrets,
    ...parts,
  })

/** A project with these MCP servers in its `.mcp.json`; the home folder is empty. */
function project(mcpServers: unknown) {
  const cwd = mkdtempSync(join(tmpdir(), 'audition-doctor-'))
  writeFileSync(
    join(cwd, '.mcp.json'),
    typeof mcpServers === 'string' ? mcpServers : JSON.stringify({ mcpServers }),
  )
  return { cwd, home: mkdtempSync(join(tmpdir(), 'audition-home-')) }
}

/** The entry that `audition init` writes, which is started, and what answers. */
const own = { audition: ownLaunch({ cwd: '/', env: {} }) }
const answers = async () => ({ name: 'audition', version: packageVersion(), tools: 5 })
const tracker = { tracker: { command: 'node', args: ['tracker.js'] } }

type Finding = { readonly check: string; readonly state: string; readonly message: string }

/** The findings of one check that are of one state. */
async function findings(audition: Audition, surroundings: object, argv: readonly string[] = []) {
  const { code, stdout } = await runCaptured(['doctor', '--json', ...argv], audition, surroundings)
  const report: { readonly ok: boolean; readonly findings: readonly Finding[] } = JSON.parse(stdout)
  return { code, ...report }
}

describe('audition doctor', () => {
  test('says so when everything is in order', async () => {
    const { code, stdout } = await runCaptured(['doctor'], installation(), project(own))
    expect(code).toBe(0)
    expect(stdout).toContain('ok    store: /home/ann/.local/share/audition: 120 tools, 24 agents')
    expect(stdout).toContain('Everything is in order.')
  })

  test('says which indexes a store in an engine has, and warns of those that it lacks', async () => {
    const words = { column: 'words', type: 'FTS', left: 20 }
    const made = [
      words,
      { column: 'id', type: 'BTREE', left: null },
      { column: 'row', type: 'BTREE', left: 0 },
    ]
    const indexes = [
      { kind: 'tool', made, missing: ['vector'] } as const,
      { kind: 'agent', made: [], missing: [] } as const,
    ]
    const { findings: found } = await findings(installation({}, { indexes }), project(own))
    expect(found.filter(({ check }) => check === 'store').slice(1)).toMatchObject([
      {
        state: 'warn',
        message: 'indexes of tools: FTS on words; BTREE on id, row; words lacks 20 rows; none on vector',
      },
    ])
  })

  test.each([
    {
      why: 'nothing indexed yet is a warning',
      store: { state: 'absent', tools: 0, agents: 0 } as const,
      expected: { check: 'store', state: 'warn' },
      code: 0,
    },
    {
      why: 'an empty store is a warning',
      store: { tools: 0, agents: 0 },
      expected: { check: 'store', state: 'warn' },
      code: 0,
    },
    {
      why: 'an unreadable store fails',
      store: { state: 'unreadable', detail: 'no manifest' } as const,
      expected: { check: 'store', state: 'fail', message: expect.stringContaining('no manifest') },
      code: 1,
    },
    {
      why: 'vectors of another model fail',
      store: { storedModel: 'minilm', configuredModel: 'gte' },
      expected: { check: 'model', state: 'fail' },
      code: 1,
    },
    {
      why: 'vectors of another version of the model are a warning: search goes by words',
      store: { storedModel: 'static:one@1', configuredModel: 'static:one@2' },
      expected: { check: 'model', state: 'warn', remedy: expect.stringContaining('audition index') },
      code: 0,
    },
    {
      why: 'a model that cannot be opened fails with its own remedy, also before anything is indexed',
      store: { state: 'absent', modelFault: { message: 'no such folder', remedy: 'Name it.' } } as const,
      expected: { check: 'model', state: 'fail', message: 'no such folder', remedy: 'Name it.' },
      code: 1,
    },
    {
      why: 'a model without vectors is a warning',
      store: { configuredModel: 'gte' },
      expected: { check: 'model', state: 'warn' },
      code: 0,
    },
  ])('$why', async ({ store, expected, code }) => {
    const seen = await findings(installation({}, store), project(own))
    expect(seen.code).toBe(code)
    expect(seen.ok).toBe(code === 0)
    expect(seen.findings).toContainEqual(expect.objectContaining(expected))
  })

  test.each([
    {
      why: 'one that loads is shown with how many candidates it reads',
      reranker: async () => ({ id: 'transformers:a/b', depth: 30 }),
      expected: { state: 'ok', message: 'transformers:a/b, over the first 30 candidates' },
    },
    {
      why: 'one that does not load fails with what to do',
      reranker: async () => {
        throw new EmbeddingModelError('a/b: not on this machine.', 'Copy it.')
      },
      expected: { state: 'fail', message: 'a/b: not on this machine.', remedy: 'Copy it.' },
    },
  ])('of cross-encoders $why', async ({ reranker, expected }) => {
    const seen = await findings(installation({ reranker }), project(own))
    expect(seen.findings).toContainEqual({ check: 'reranker', ...expected })
    expect(seen.code).toBe(expected.state === 'ok' ? 0 : 1)
  })

  test.each<{ why: string; parts: Partial<Audition>; expected: object }>([
    {
      why: 'a language model that is named is shown, and not asked',
      parts: { languageModel: async () => 'ollama:qwen3' },
      expected: { check: 'language model', state: 'ok', message: 'ollama:qwen3, not asked' },
    },
    {
      why: 'a language model that is not one fails with what to do',
      parts: {
        languageModel: async () => {
          throw new LanguageModelError('AUDITION_LLM is "foo".', 'Name one.')
        },
      },
      expected: {
        check: 'language model',
        state: 'fail',
        message: 'AUDITION_LLM is "foo".',
        remedy: 'Name one.',
      },
    },
    {
      why: 'tokens of agents are shown by their origins',
      parts: { runtimeSetting: async () => 'for https://a.test, https://b.test:1' },
      expected: { check: 'a2a tokens', state: 'ok', message: 'for https://a.test, https://b.test:1' },
    },
    {
      why: 'tokens of agents that cannot be read fail with what to do',
      parts: {
        runtimeSetting: async () => {
          throw new RuntimeError('no JSON', 'Write it so.')
        },
      },
      expected: { check: 'a2a tokens', state: 'fail', message: 'no JSON', remedy: 'Write it so.' },
    },
  ])('$why', async ({ parts, expected }) => {
    const seen = await findings(installation(parts), project(own))
    expect(seen.findings).toContainEqual(expected)
    expect(seen.code).toBe('remedy' in expected ? 1 : 0)
  })

  test('a server that failed is shown with all that it printed, and when it is asked again', async () => {
    const failed = {
      times: 2,
      again: '2026-11-23T10:05:00.000Z',
      message: 'died',
      remedy: 'Mend it.',
      output: 'Error: no token\n    at main (server.js:1:1)\u001b[2J',
    }
    const state = {
      ...source,
      id: 'mail',
      reader: 'mcp-server',
      failure: 'died: Error: no token. Mend it.',
      asked: { entry: 'e', failed },
    }
    const doctor = installation({ sources: async () => [state] })
    const { stdout } = await runCaptured(['doctor'], doctor, project(own))
    expect(stdout).toContain(
      [
        'warn  sources: "mail" could not be read: died: Error: no token. Mend it.',
        '      It printed:',
        '        Error: no token',
        '            at main (server.js:1:1)',
      ].join('\n'),
    )
    expect(stdout).toContain(
      'asked again by an `audition index` after 2026-11-23 10:05 UTC, with --refresh at once.',
    )
    expect(stdout).not.toContain('\u001b[2J')
    const { findings: found } = await findings(doctor, project(own))
    const output = failed.output.replace('\u001b[2J', '')
    expect(found).toContainEqual(expect.objectContaining({ check: 'sources', output }))
  })

  test.each([
    { tools: 3, says: 'Its old cards stay. It is asked again' },
    { tools: 0, says: /^It is asked again/ },
  ])('a server that had $tools cards: $says', async ({ tools, says }) => {
    const failed = { times: 1, again: '2026-11-23T10:05:00.000Z', message: 'died', remedy: 'Mend it.' }
    const state = { ...source, tools, agents: 0, failure: 'died', asked: { entry: 'e', failed } }
    const seen = await findings(installation({ sources: async () => [state] }), project(own))
    const { remedy } = seen.findings.find(({ check }: { check: string }) => check === 'sources') as never
    expect(remedy).toMatch(says)
  })

  test('a source that failed is a warning with its reason', async () => {
    const sources = async () => [{ ...source, failure: 'did not answer' }]
    const seen = await findings(installation({ sources }), project(own))
    expect(seen.findings).toContainEqual(
      expect.objectContaining({
        check: 'sources',
        state: 'warn',
        message: expect.stringContaining('did not answer'),
      }),
    )
  })

  test('a configuration that is not JSON fails', async () => {
    const seen = await findings(installation(), project('{ "mcpServers": { '))
    expect(seen.code).toBe(1)
    expect(seen.findings).toContainEqual(
      expect.objectContaining({
        check: 'hosts',
        state: 'fail',
        message: expect.stringContaining('not valid JSON'),
      }),
    )
  })

  test('folders of agents and skills are no configurations, and nothing is wrong with them', async () => {
    const place = project(own)
    for (const folder of [join(place.home, '.claude', 'agents'), join(place.cwd, '.github', 'agents')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'clerk.md'), '---\nname: clerk\ndescription: Files letters.\n---\n')
    }
    const seen = await findings(installation(), place)
    expect(seen.ok).toBe(true)
    expect(seen.findings.filter(({ check }) => check === 'hosts')).toHaveLength(1)
  })

  test('hosts that do not know Audition are a warning that names the command', async () => {
    const { code, stdout } = await runCaptured(['doctor'], installation(), project(tracker))
    expect(code).toBe(0)
    expect(stdout).toContain('warn  audition in hosts: no host starts Audition')
    expect(stdout).toContain('audition init')
  })

  test('starts no server unasked', async () => {
    const seen = await findings(installation(), project({ ...own, ...tracker }))
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ check: 'mcp servers', state: 'ok', message: '1 configured, not tried' }),
    )
  })

  test('--servers starts each but Audition itself, and one that fails fails', async () => {
    const tried: [string, number][] = []
    const tryServer: Audition['tryServer'] = async ({ name }, timeoutMs) => {
      tried.push([name, timeoutMs])
      if (name === 'broken') throw new HarvestError('ended with code 1', 'Run its command by hand.')
      return { tools: Array.from({ length: 7 }, () => ({})) }
    }
    const surroundings = project({ ...own, ...tracker, broken: { command: 'false' } })
    const seen = await findings(installation({ tryServer }), surroundings, ['--servers', '--timeout', '2'])
    expect(tried).toEqual([
      ['tracker', 2000],
      ['broken', 2000],
    ])
    expect(seen.code).toBe(1)
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ state: 'ok', message: '"tracker" answers with 7 tools' }),
    )
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ state: 'fail', remedy: 'Run its command by hand.' }),
    )
  })

  test('a check that breaks is a failure; the others still run', async () => {
    const sources = () => Promise.reject(new Error('disk on fire'))
    const seen = await findings(installation({ sources }), project(own))
    expect(seen.code).toBe(1)
    expect(seen.findings).toContainEqual(
      expect.objectContaining({ check: 'sources', state: 'fail', message: 'disk on fire' }),
    )
    expect(seen.findings).toContainEqual(expect.objectContaining({ check: 'audition in hosts', state: 'ok' }))
  })

  test.each([
    { version: '20.0.0', state: 'ok' },
    { version: '26.1.0', state: 'ok' },
    { version: '18.20.4', state: 'fail' },
  ])('Node.js $version: $state', ({ version, state }) => {
    expect(judgeVersion(version).state).toBe(state)
  })
})

describe('audition doctor --repair', () => {
  const lostMail = { ...source, id: 'mail', location: '/home/ann/mail.json', tools: 3, agents: 0 }
  const lostServer = { ...source, id: 'github', location: '/home/ann/.mcp.json#github', reader: 'mcp-server' }

  /** A store with damage, and what is asked of it. */
  function damaged(
    repair: Partial<StoreRepair> = {},
    again: Partial<typeof source> & { failure?: string } = {},
  ) {
    const asked: string[] = []
    const found: StoreRepair = {
      steps: [{ kind: 'mend', message: 'the table "tools": cut off' }],
      damagedFolder: null,
      toReadAgain: [],
      ...repair,
    }
    const audition = installation({
      async repair({ intent }) {
        asked.push(intent)
        if (asked.includes('mend') && intent === 'look')
          return { steps: [], damagedFolder: null, toReadAgain: [] }
        return intent === 'look' ? found : { ...found, damagedFolder: '/home/ann/damaged' }
      },
      async index({ locations, harvest }) {
        asked.push(`index ${locations.join(' ')} ${harvest}`)
        return { sources: [], problems: [], tools: 0, agents: 0, seconds: 0 }
      },
      sources: async () => [{ ...lostMail, ...again }],
    })
    return { audition, asked }
  }

  test('shows what is wrong, mends it, and says where the damaged files are', async () => {
    const { audition, asked } = damaged()
    const { code, stdout } = await runCaptured(['doctor', '--repair', '--yes'], audition, project(own))
    expect([code, asked]).toEqual([0, ['look', 'mend', 'look']])
    expect(stdout).toContain('mend   the table "tools": cut off')
    expect(stdout).toContain('lies in /home/ann/damaged')
  })

  test('changes nothing in a dry run, and ends with 1 since the damage is there', async () => {
    const { audition, asked } = damaged()
    const { code, stdout } = await runCaptured(['doctor', '--repair', '--dry-run'], audition, project(own))
    expect([code, asked]).toEqual([1, ['look', 'look']])
    expect(stdout).toContain('Nothing was changed')
  })

  test('mends nothing when nobody can be asked', async () => {
    const { audition, asked } = damaged()
    const { code, stderr } = await runCaptured(['doctor', '--repair'], audition, project(own))
    expect([code, asked]).toEqual([2, ['look']])
    expect(stderr).toContain('--yes')
  })

  test('reads files again whose cards are gone, and starts no server', async () => {
    const { audition, asked } = damaged({ toReadAgain: [lostMail, lostServer] })
    const { code, stdout } = await runCaptured(['doctor', '--repair', '--yes'], audition, project(own))
    expect(asked).toEqual(['look', 'mend', 'index /home/ann/mail.json unwanted', 'look'])
    expect(stdout).toContain('Read again: mail.')
    expect(stdout).toContain('"github" are gone: `audition index` asks it for them')
    expect(code).toBe(1)
  })

  test('ends with 1 when a source cannot be read again', async () => {
    const { audition } = damaged({ toReadAgain: [lostMail] }, { failure: 'does not exist' })
    const { code, stdout } = await runCaptured(['doctor', '--repair', '--yes'], audition, project(own))
    expect(code).toBe(1)
    expect(stdout).toContain('/home/ann/mail.json could not be read')
  })

  test('tells all of it as JSON', async () => {
    const { audition } = damaged()
    const { code, stdout } = await runCaptured(
      ['doctor', '--repair', '--yes', '--json'],
      audition,
      project(own),
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      repair: { done: 'mended', damagedFolder: '/home/ann/damaged', remaining: [] },
    })
  })

  test('has nothing to do for a store that is well', async () => {
    const { code, stdout } = await runCaptured(['doctor', '--repair'], installation(), project(own))
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing to mend.')
  })

  test.each([['--yes'], ['--dry-run']])('%s alone is a mistake', async (flag) => {
    const { code, stderr } = await runCaptured(['doctor', flag], installation(), project(own))
    expect(code).toBe(2)
    expect(stderr).toContain('--repair')
  })

  test.each([
    { kind: 'mend', state: 'fail', ok: false },
    { kind: 'lost', state: 'fail', ok: false },
    { kind: 'remains', state: 'fail', ok: false },
    { kind: 'tidy', state: 'warn', ok: true },
  ] as const)('without it a step to $kind is a $state', async ({ kind, state, ok }) => {
    const repair = async () => ({ steps: [{ kind, message: 'it' }], damagedFolder: null, toReadAgain: [] })
    const seen = await findings(installation({ repair }), project(own))
    expect(seen.ok).toBe(ok)
    expect(seen.findings).toContainEqual(expect.objectContaining({ check: 'damage', state }))
  })
})
