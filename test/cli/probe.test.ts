import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ArgumentsError,
  type Executor,
  type ProbeWriter,
  type Task,
  type TranscriptEvent,
} from '../../src/probing/ports.ts'
import type { SearchRequest, Signals } from '../../src/retrieval/answer.ts'
import { runCaptured, type Surroundings } from '../fakes/captured-terminal.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { answerOf, scored } from '../fakes/sample-cards.ts'
import { hangs, scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-probe-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sound = agentCard('team/sound')
const flawed = agentCard('team/flawed')
const remote = agentCard('team/remote')
const cards = [flawed, sound, remote]
const ownTasks: readonly Task[] = ['4', '5', '6', '7'].map((text) => ({
  text: `double half of ${text}`,
  reference: { kind: 'states', text },
}))

const calculating = () =>
  scriptedExecutor(
    {
      [sound.id]: ({ text }) => ({
        answer: `It is ${text.at(-1)}.`,
        tokens: { input: 8, output: 2 },
        cost: 0.001,
      }),
      [flawed.id]: () => ({ answer: 'It is 3, \u001b[31mtrust me.' }),
      [remote.id]: () => ({ answer: 'never' }),
    },
    (card) =>
      card.id === remote.id ? { permit: 'command:/bin/remote --all', display: '/bin/remote --all' } : {},
  )

const withheld: TranscriptEvent = {
  at: 0,
  kind: 'tool-withheld',
  tool: 'read_note',
  because: 'changed',
  source: 'notes',
  text: 'tool "read_note" is withheld from the model: it changed.',
}

let count = 0
/** An Audition over three agents, two of them allowed; a search finds what worked first, as the record has it. */
async function house(executor: Executor = calculating()) {
  const own = join(folder, String(count++))
  const probing = scriptedProbing(own, executor, { ownTasks })
  await probing.changeAllow({ add: ['command:/bin/sound', 'command:/bin/flawed'] })
  const searches: SearchRequest[] = []
  const worked = (id: string): number =>
    probing.record.added.filter(
      ({ card, verdict }) => card === id && verdict !== null && 'grade' in verdict && verdict.grade >= 4,
    ).length
  const signalsOf = (id: string): Partial<Signals> => {
    const runs = probing.record.added.filter(({ card }) => card === id).length
    if (runs === 0) return {}
    const speaks = worked(id) > 0 ? 'for' : 'against'
    const counts = { runs, successes: worked(id), similarRuns: 0, similarSuccesses: 0, medianSeconds: 1 }
    return { record: { ...counts, estimate: 0.5, speaks } }
  }
  const audition = scriptedAudition({
    cards: async (ids) => ids.flatMap((id) => cards.filter((card) => card.id === id)),
    closestIds: async () => [sound.id],
    sources: async () => [],
    probing: async () => probing,
    search: async (request) => {
      searches.push(request)
      const ranked = [...cards].sort((a, b) => worked(b.id) - worked(a.id))
      return answerOf(
        'agent',
        ranked.slice(0, request.k ?? 5).map((card, at) => scored(card, 1 - at / 10, signalsOf(card.id))),
      )
    },
  })
  const run = (line: readonly string[], surroundings: Surroundings = {}) =>
    runCaptured(line, audition, { env: { COLUMNS: '100' }, ...surroundings })
  return { run, probing, searches, executor: executor as ReturnType<typeof calculating> }
}

describe('audition probe', () => {
  test('tells what worked, what did not and why, and where the transcripts are', async () => {
    const { run, probing } = await house()
    const { code, stdout, stderr } = await run(['probe', sound.id, flawed.id, '--count', '2'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/team\/sound +2 of 2 +5 5 +1\.00 s +20 +\$0\.0020/)
    expect(stdout).toMatch(/team\/flawed +0 of 2 +1 1 +1\.00 s +– +–/)
    expect(stdout).toContain('answered: It is 3, trust me.')
    expect(stdout).toContain('does not state "4"')
    expect(stdout).toContain('2 of 2 tasks told them apart.')
    expect(stdout).toMatch(/Transcripts: .*transcripts\/$/m)
    expect(stderr).toContain('[4/4] ')
    expect(probing.record.added).toHaveLength(4)
    expect(probing.record.added.every(({ origin }) => origin === 'probe')).toBe(true)
  })

  test('tells which tools were kept from an agent, each once', async () => {
    const executor = scriptedExecutor({ [sound.id]: () => ({ answer: 'It is 4.', transcript: [withheld] }) })
    const { run } = await house(executor)
    const { stdout } = await run(['probe', sound.id, '--count', '2'])
    expect(stdout.split(withheld.text)).toHaveLength(2)
    const { stdout: json } = await run(['probe', sound.id, '--count', '1', '--json'])
    const { at: _, kind: _kind, ...told } = withheld
    expect(JSON.parse(json).candidates[0].runs[0].withheld).toEqual([told])
  })

  test('asks a task of your own, graded by what a right answer states', async () => {
    const { run, executor } = await house()
    const line = ['probe', sound.id, flawed.id, '--task', 'half of 6 is 3', '--expect', '3', '--json']
    const { code, stdout } = await run(line)
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report.candidates.map(({ worked }: { worked: number }) => worked).sort()).toEqual([1, 1])
    expect(executor.started.sort()).toEqual(['team/flawed: half of 6 is 3', 'team/sound: half of 6 is 3'])
  })

  test('a task that nobody can judge is recorded ungraded, and that is said', async () => {
    const { run, probing } = await house()
    const { code, stdout } = await run(['probe', sound.id, '--task', 'write a poem'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/team\/sound +– +-/)
    expect(stdout).toContain('no reference and no model to judge by')
    expect(probing.record.added).toMatchObject([{ ending: 'answered', verdict: null }])
  })

  test('without a terminal, what is not allowed is refused with the line to type; the others run', async () => {
    const { run, executor, probing } = await house()
    const before = readFileSync(probing.settingsFile, 'utf8')
    const { code, stdout } = await run(['probe', remote.id, sound.id, '--count', '1'])
    expect(code).toBe(1)
    expect(stdout).toContain('team/remote was not run: not allowed: /bin/remote --all')
    expect(stdout).toContain('to allow it: audition allow team/remote')
    expect(executor.started).toEqual(['team/sound: double half of 4'])
    expect(readFileSync(probing.settingsFile, 'utf8')).toBe(before)
  })

  test('the line that it tells makes it run', async () => {
    const { run, executor } = await house()
    const refused = await run(['probe', remote.id])
    const [, id = ''] = /audition allow (\S+)/.exec(refused.stdout) ?? []
    expect((await run(['allow', id, '--yes'])).code).toBe(0)
    expect((await run(['probe', remote.id, '--count', '1'])).code).toBe(0)
    expect(executor.started).toEqual(['team/remote: double half of 4'])
  })

  test('--dry-run shows what would start and be asked, and starts nothing', async () => {
    const { run, executor, probing } = await house()
    const { code, stdout } = await run(['probe', sound.id, remote.id, '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toContain('would start: /bin/sound')
    expect(stdout).toContain('asks: double half of 4')
    expect(stdout).toMatch(
      /team\/remote\n {2}would start: \/bin\/remote --all\n {2}not allowed; to allow it: audition allow/,
    )
    const { candidates } = JSON.parse((await run(['probe', remote.id, '--dry-run', '--json'])).stdout)
    expect(candidates).toMatchObject([{ card: remote.id, notRun: { kind: 'permission' } }])
    expect({ started: executor.started, recorded: probing.record.added }).toEqual({
      started: [],
      recorded: [],
    })
  })

  test('--top probes the shortlist of a search and ranks it again', async () => {
    const { run, searches } = await house()
    const line = ['probe', '--top', '2', '--from-examples', 'double', 'half']
    const { code, stdout } = await run(line)
    expect(code).toBe(0)
    const request = { kind: 'agent', query: 'double half', k: 2, filter: { hasRuntime: true } }
    expect(searches).toEqual([request, { ...request, k: 100, pack: 'ranking' }])
    expect(stdout).toContain('The shortlist, ranked again')
    expect(stdout).toMatch(/ 1 +2 +team\/sound +worked 3 of 3 /)
    expect(stdout).toMatch(/ 2 +1 +team\/flawed +failed 3 of 3 /)
    const again = await run(line)
    expect(again.stdout).toContain('The shortlist stands as it was')
  })

  test('after --top what failed stays listed as failed, and nobody untried takes its place', async () => {
    const { run } = await house()
    const { stdout } = await run(['probe', '--top', '1', '--from-examples', 'double', 'half'])
    expect(stdout).toMatch(/ 1 +1 +team\/flawed +failed 3 of 3 /)
    expect(stdout).not.toMatch(/\d +team\/(?:sound|remote)/)
    const { before, after } = JSON.parse((await run(['probe', '--top', '1', '--json', 'half'])).stdout)
    expect(after).toEqual(before)
  })

  test('after --top what could not be run says so and stands behind what could and did not fail', async () => {
    const { run } = await house()
    const { stdout } = await run(['probe', '--top', '3', '--from-examples', 'double', 'half'])
    expect(stdout).toMatch(/ 1 +\d +team\/sound +worked 3 of 3 /)
    expect(stdout).toMatch(/ 2 +3 +team\/remote +not allowed /)
    expect(stdout).toMatch(/ 3 +\d +team\/flawed +failed 3 of 3 /)
  })

  test('--top without a model asks the goal itself', async () => {
    const { run, executor } = await house()
    const { stdout } = await run(['probe', '--top', '1', '--json', 'double half of 9'])
    expect(executor.started).toEqual(['team/flawed: double half of 9'])
    expect(JSON.parse(stdout)).toMatchObject({ before: [flawed.id], after: [flawed.id] })
  })

  test('a budget ends the probe, and says how much was left out', async () => {
    const { run } = await house()
    const line = ['probe', sound.id, '--count', '4', '--budget', '25tokens']
    const { code, stdout } = await run(line)
    expect(code).toBe(0)
    expect(stdout).toContain('The budget (tokens or cost) is spent: 1 run was left out.')
  })

  test('Ctrl-C stops what runs, keeps what ended, and ends with 130', async () => {
    const stop = new AbortController()
    const executor = scriptedExecutor({
      [sound.id]: () => ({ answer: 'It is 4.' }),
      [flawed.id]: (task, run) => {
        setImmediate(() => stop.abort())
        return hangs(task, run)
      },
    })
    const { run, probing } = await house(executor)
    const { code, stdout } = await run(['probe', sound.id, flawed.id, '--count', '1'], {
      signal: stop.signal,
    })
    expect(code).toBe(130)
    expect(stdout).toContain('Stopped: 1 run was left out. What had ended is recorded.')
    expect(probing.record.added).toMatchObject([{ card: sound.id }])
  })

  test.each([
    {
      why: '--expect without a task',
      line: ['probe', 'a', '--expect', 'x'],
      says: '--expect goes with exactly one --task',
    },
    {
      why: 'arguments that are no JSON',
      line: ['probe', 'a', '--task', 'x', '--arguments', '{a'],
      says: '--arguments takes a JSON object',
    },
    { why: '--tools without --top', line: ['probe', 'a', '--tools'], says: '--tools goes with --top' },
    {
      why: 'a budget in no unit',
      line: ['probe', 'a', '--budget', '5'],
      says: '--budget takes amounts such as',
    },
    {
      why: 'a budget of nothing',
      line: ['probe', 'a', '--budget', '0usd'],
      says: '--budget takes amounts such as',
    },
    {
      why: 'two kinds of task',
      line: ['probe', 'a', '--task', 'x', '--from-examples'],
      says: '--task and --from-examples exclude each other',
    },
  ])('$why is wrong usage', async ({ line, says }) => {
    const { run, executor } = await house()
    const { code, stderr } = await run(line)
    expect(code).toBe(2)
    expect(stderr).toContain(says)
    expect(executor.started).toEqual([])
  })

  test('with --json an error is JSON too, beside its text for people, and the exit code stays', async () => {
    const { run } = await house()
    const unknown = await run(['probe', 'team/soundd', '--json'])
    expect(unknown.code).toBe(1)
    expect(JSON.parse(unknown.stdout)).toEqual({
      error: 'no tool or agent "team/soundd".',
      remedy: 'Closest ids: team/sound.',
    })
    expect(unknown.stderr).toContain('error: no tool or agent "team/soundd".')
    const usage = await run(['probe', 'a', '--json', '--tools'])
    expect(usage.code).toBe(2)
    expect(JSON.parse(usage.stdout)).toEqual({ error: '--tools goes with --top.' })
    const unparsed = await run(['probe', 'a', '--jsn', '--json'])
    expect(unparsed.code).toBe(2)
    expect(JSON.parse(unparsed.stdout)).toMatchObject({
      error: expect.stringContaining("unknown option '--jsn'"),
      remedy: expect.stringContaining('--help'),
    })
    expect((await run(['probe', 'team/soundd', '--', '--json'])).stdout).toBe('')
  })

  test('where none was run, what kept them from it is an error', async () => {
    const { run } = await house()
    const { stdout } = await run(['probe', 'team/remote', '--task', 'x'])
    expect(stdout).toMatch(/^error: team\/remote was not run: /u)
  })

  test('an unknown id is told with the closest ones', async () => {
    const { run } = await house()
    const { code, stderr } = await run(['probe', 'team/soundd'])
    expect(code).toBe(1)
    expect(stderr).toContain('no tool or agent "team/soundd".\n  Closest ids: team/sound.')
  })

  test('a demo agent that is not in the store is told with what brings it back', async () => {
    const { run } = await house()
    const { code, stderr } = await run(['probe', 'demo-profiles/tally-south'])
    expect(code).toBe(1)
    expect(stderr).toContain('no tool or agent "demo-profiles/tally-south".\n  It ships with Audition')
    expect(stderr).toContain('`audition index bundled:demo` brings it back.')
  })
})

test('tasks are written for a goal where a model is configured', async () => {
  const goals: string[] = []
  const writer: ProbeWriter = {
    model: 'fake',
    write: async ({ goal }) => {
      goals.push(goal)
      return ['double half of 8']
    },
  }
  const executor = calculating()
  const probing = scriptedProbing(join(folder, 'written'), executor, { writer })
  await probing.changeAllow({ add: ['command:/bin/sound'] })
  const audition = scriptedAudition({
    languageModel: async () => 'openai-compatible:http://x#y',
    probing: async () => probing,
    search: async () => answerOf('agent', [scored(sound, 1)]),
  })
  await runCaptured(['probe', '--top', '1', 'doubling'], audition)
  expect({ goals, started: executor.started }).toEqual({
    goals: ['doubling'],
    started: ['team/sound: double half of 8'],
  })
})

describe('audition run', () => {
  test('prints the answer alone on stdout and what happens on stderr; nothing is recorded', async () => {
    const { run, probing } = await house()
    const { code, stdout, stderr } = await run(['run', sound.id, 'double', 'half', 'of', '8'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'It is 8.\n' })
    expect(stderr).toBe('[0.0 s] started\n')
    expect(probing.record.added).toEqual([])
    expect((await run(['run', '-q', sound.id, 'double half of 8'])).stderr).toBe('')
  })

  test("records the run when the user's settings say so", async () => {
    const { run, probing } = await house()
    await run(['allow', 'command:/bin/x'])
    const { writeFileSync } = await import('node:fs')
    writeFileSync(probing.settingsFile, `${readFileSync(probing.settingsFile, 'utf8')}recordRuns: true\n`)
    const { stdout } = await run(['run', sound.id, 'double half of 8', '--json'])
    const { recorded } = JSON.parse(stdout)
    expect(probing.record.added).toMatchObject([
      { id: recorded, origin: 'run', card: sound.id, verdict: null },
    ])
  })

  test('a long task comes from standard input, and hidden characters of an answer stay hidden', async () => {
    const { run, executor } = await house()
    const { stdout } = await run(['run', flawed.id, '-'], { input: 'a long\ntask\n' })
    expect(stdout).toBe('It is 3, trust me.\n')
    expect(executor.started).toEqual(['team/flawed: a long\ntask'])
  })

  test('an agent that fails ends with 1 and its reason on stderr', async () => {
    const executor = scriptedExecutor({
      [sound.id]: () => ({ ending: 'failed', answer: '', failure: 'It crashed.' }),
    })
    const { run } = await house(executor)
    const { code, stdout, stderr } = await run(['run', sound.id, 'x'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('error: It crashed.')
  })

  test('arguments that do not fit a tool are asked for in the words of the command line', async () => {
    const executor = scriptedExecutor({
      [sound.id]: () => {
        throw new ArgumentsError('team/sound is a tool and needs arguments: text', '`describe` shows them.')
      },
    })
    const { run } = await house(executor)
    const { code, stderr } = await run(['run', sound.id, 'x'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/needs arguments: text\. Give --arguments .* `audition show`/)
    expect(stderr).not.toContain('describe')
  })

  test('what is not allowed is refused with the line to type', async () => {
    const { run, executor } = await house()
    const { code, stdout, stderr } = await run(['run', remote.id, 'x'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('to allow it: audition allow team/remote')
    expect(executor.started).toEqual([])
  })

  test('Ctrl-C ends it with 130', async () => {
    const stop = new AbortController()
    const executor = scriptedExecutor({
      [sound.id]: (task, run) => {
        setImmediate(() => stop.abort())
        return hangs(task, run)
      },
    })
    const { run } = await house(executor)
    const { code, stdout, stderr } = await run(['run', sound.id, 'x'], { signal: stop.signal })
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain('Stopped.')
  })

  test('neither task nor arguments is wrong usage', async () => {
    const { run } = await house()
    const { code, stderr } = await run(['run', sound.id])
    expect(code).toBe(2)
    expect(stderr).toContain('Say the task in plain words')
  })
})

describe('audition allow', () => {
  test('lists what is allowed and the file that says so', async () => {
    const { run, probing } = await house()
    const { code, stdout } = await run(['allow'])
    expect(code).toBe(0)
    expect(stdout).toBe(
      `bundled\ncommand:/bin/sound\n  by its name alone: it is asked for once more\ncommand:/bin/flawed\n  by its name alone: it is asked for once more\n\nSettings: ${probing.settingsFile}\n`,
    )
    expect(JSON.parse((await run(['allow', '--json'])).stdout)).toEqual({
      file: probing.settingsFile,
      allow: ['bundled', 'command:/bin/sound', 'command:/bin/flawed'],
    })
  })

  test('shows what an agent would start, and takes it on the list only when somebody says so', async () => {
    const { run, probing } = await house()
    const asked = await run(['allow', remote.id])
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain(
      'team/remote would start: /bin/remote --all\n  to allow: command:/bin/remote --all',
    )
    expect(asked.stderr).toContain('nobody can be asked here. Add --yes')
    expect((await probing.settings()).allow).not.toContain('command:/bin/remote --all')
    const said = await run(['allow', remote.id, '--yes'])
    expect(said.stdout).toBe('Allowed from now on:\n  command:/bin/remote --all\n')
    expect((await probing.settings()).allow).toContain('command:/bin/remote --all')
    expect((await run(['allow', remote.id])).stderr).toContain('team/remote is allowed already.')
  })

  test('takes permits off the list', async () => {
    const { run, probing } = await house()
    const { code, stdout } = await run(['allow', 'remove', 'bundled', 'command:/bin/sound'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No longer allowed: bundled, command:/bin/sound\n' })
    expect((await probing.settings()).allow).toEqual(['command:/bin/flawed'])
    expect((await run(['allow', 'remove', 'bundled'])).stderr).toContain('"bundled" is not on the list')
  })

  test.each([
    { permit: '*', says: /starts with none of/ },
    { permit: 'a2a:https://agents.example*', says: /write the whole origin/ },
    { permit: 'shell:rm', says: /starts with none of command:, mcp:/ },
    { permit: 'command:/bin/remote --all', says: /Give the id of the agent or tool instead/ },
    { permit: 'mcp:/p/.mcp.json#calc', says: /With a \* at its end it stands for whatever/ },
  ])('$permit is no permit', async ({ permit, says }) => {
    const { run, probing } = await house()
    const { code, stderr } = await run(['allow', permit])
    expect(code).toBe(2)
    expect(stderr).toMatch(says)
    expect((await probing.settings()).allow).not.toContain(permit)
  })
})
