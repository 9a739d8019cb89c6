import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAudition } from '../../src/compose/app.ts'
import { configFrom } from '../../src/config.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { type ChatReply, type ChatRequest, chatEndpoint } from '../fakes/chat-endpoint.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

/** `audition judge` over the real Audition; its model, where there is one, answers on loopback. */
async function judging(reply: ((request: ChatRequest, index: number) => ChatReply) | null) {
  const folder = temporaryFolder()
  const endpoint = reply === null ? null : await chatEndpoint(reply)
  if (endpoint !== null) onTestFinished(() => endpoint.close())
  const audition = openAudition(
    configFrom({
      AUDITION_READER: 'none',
      AUDITION_HOME: join(folder, 'store'),
      AUDITION_SETTINGS: join(folder, 'settings.yaml'),
      ...(endpoint === null
        ? {}
        : { AUDITION_LLM: endpoint.settings.spec, AUDITION_LLM_KEY: endpoint.settings.key }),
    }),
  )
  return {
    sent: endpoint?.sent ?? [],
    model: `llm:${endpoint?.settings.spec}`,
    settings: (text: string) => writeFileSync(join(folder, 'settings.yaml'), text),
    run: (argv: readonly string[], surroundings: Parameters<typeof runCaptured>[2] = {}) =>
      runCaptured(['judge', ...argv], audition, { cwd: folder, ...surroundings }),
    /** Writes `labelled.jsonl` and calibrates on it. */
    calibrate(lines: readonly (object | string)[], more: readonly string[] = [], signal?: AbortSignal) {
      const written = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(join(folder, 'labelled.jsonl'), written.join('\n'))
      return runCaptured(['judge', '--calibrate', 'labelled.jsonl', ...more], audition, {
        cwd: folder,
        env: { COLUMNS: '200' },
        ...(signal ? { signal } : {}),
      })
    },
  }
}

/** Whether an answer was put to its own task, and not to another to see whether it persuades. */
const isAsked = (user: string): boolean => /^\| (?:Say it\.|What is 2 \+ 2\?)$/m.test(user)

/** Grades each answer with the digit that it holds. */
const byDigit = ({ user }: ChatRequest): string =>
  JSON.stringify({ reasoning: 'As it says.', grade: (isAsked(user) && /worth (\d)/.exec(user)?.[1]) || '1' })
const labelled = (grade: number, worth: number) => ({ task: 'Say it.', answer: `worth ${worth}`, grade })
const mixed = [
  labelled(5, 5),
  labelled(4, 5),
  labelled(1, 4),
  { task: 'What is 2 + 2?', answer: '4', grade: 5, reference: { kind: 'number', value: 4 } },
  labelled(2, 2),
]

describe('audition judge', () => {
  const inTurn = (grades: readonly number[]) => {
    let graded = 0
    return (
      { user }: ChatRequest, // whatever is not the answer is a control
    ) =>
      JSON.stringify({
        grade: user.includes('| x\n') && isAsked(user) ? grades[graded++ % grades.length] : 1,
      })
  }

  test('asks the model as often as it is told, and the middle grade counts', async () => {
    const { run, sent } = await judging(inTurn([5, 1, 2]))
    const { stdout } = await run(['--task', 'Say it.', '--answer', 'x', '--repeats', '3'])
    expect(stdout).toBe('2  The model gave no reason. (the middle of 1, 2, 5)\n')
    expect(sent).toHaveLength(3)
  })

  test('asks as often as the settings say, also when they change', async () => {
    const { run, sent, settings } = await judging(inTurn([5, 4, 4]))
    settings('gradings: 3')
    expect((await run(['--task', 'Say it.', '--answer', 'x'])).stdout).toContain('(the middle of 4, 4, 5)')
    settings('gradings: 1')
    expect((await run(['--task', 'Say it.', '--answer', 'x'])).stdout).toBe('5  The model gave no reason.\n')
    expect(sent).toHaveLength(8) // each praise is tested by one control, and by another task
  })

  test.each(['0', '10', '2.5', 'x'])('%s repeats are no count', async (count) => {
    const { run } = await judging(byDigit)
    const { code, stderr } = await run(['--task', 'x', '--answer', 'y', '--repeats', count])
    expect(code).toBe(2)
    expect(stderr).toContain('Give a whole number from 1 to 9.')
  })

  test('grades one answer by the model, which sees the good answer', async () => {
    const { run, sent } = await judging(byDigit)
    const argv = ['--task', 'Say it.', '--answer', 'worth 4', '--golden', 'A good one']
    expect(await run(argv)).toEqual({ code: 0, stdout: '4  As it says.\n', stderr: '' })
    expect(sent).toHaveLength(3) // the answer, the control, the answer to another task
    for (const { user } of sent.slice(0, 2)) expect(user).toContain('| A good one')
    expect(sent.map(({ user }) => user.includes('| worth 4'))).toEqual([true, false, true])
    expect(sent.map(({ user }) => isAsked(user))).toEqual([true, true, false])
  })

  test('a model that praises a wrong answer is told, and gives no grade', async () => {
    const { run } = await judging(() => JSON.stringify({ reasoning: 'Fine.', grade: '5' }))
    const { code, stdout, stderr } = await run(['--task', 'Say it.', '--answer', 'worth 4'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('gave 5 to an answer that is known to be wrong, so its grades are not recorded')
  })

  test('grades without a model what has to be stated, also from standard input', async () => {
    const { run } = await judging(null)
    const argv = ['--task', 'What is 17% of 250?', '--answer', '-', '--expect', '42.5', '--json']
    const { code, stdout } = await run(argv, { input: 'That is 42.5.\n' })
    expect({ code, verdict: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      verdict: { grade: 5, judge: 'reference' },
    })
  })

  test('a model that cannot be asked is told without the key, with exit code 1', async () => {
    const { run } = await judging(() => ({
      status: 401,
      body: '{"error": {"message": "bad key sk-secret"}}',
    }))
    const { code, stdout, stderr } = await run(['--task', 'Say it.', '--answer', 'x'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('not graded: ')
    expect(stderr).not.toContain('sk-secret')
  })

  test.each([
    { why: 'nothing to grade', argv: ['--task', 'x'], code: 2, says: '--task and --answer' },
    { why: 'two things at once', argv: ['--calibrate', 'f', '--task', 'x'], code: 2, says: 'give it alone' },
    { why: 'nobody to judge', argv: ['--task', 'x', '--answer', 'y'], code: 1, says: 'AUDITION_LLM' },
    { why: 'no file', argv: ['--calibrate', 'none.jsonl'], code: 1, says: 'none.jsonl cannot be read' },
  ])('$why is an error that says what to do', async ({ argv, code, says }) => {
    const { run } = await judging(null)
    const outcome = await run(argv)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toContain(says)
  })
})

describe('audition judge --calibrate', () => {
  test.each([
    { why: 'a text', reference: '42.5' },
    { why: 'of no kind', reference: { text: '42.5' } },
    { why: 'of an unknown kind', reference: { kind: 'contains', text: '42.5' } },
  ])('a reference that is $why is told with the shape that one has', async ({ reference }) => {
    const { calibrate } = await judging(null)
    const line = { task: 'What is 17% of 250?', answer: '42.5', grade: 5 }
    const { code, stderr } = await calibrate([{ ...line, reference }, mixed[3]!])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /line 1: "reference(?:\.kind)?": an object such as \{"kind": "states", "text": "42\.5"\}, of a kind exact, states, number, pattern, json-schema, json-path, set\. Left out\./,
    )
  })

  test('says how far each judge agrees with the labels, and where not', async () => {
    const { calibrate, model, sent } = await judging(byDigit)
    const { code, stdout, stderr } = await calibrate(mixed)
    expect({ code, asked: sent.length }).toEqual({ code: 0, asked: 8 }) // four of them test the praise
    expect(stderr).toBe(
      [
        '[1/5] line 1: label 5, graded 5',
        '[2/5] line 2: label 4, graded 5',
        '[3/5] line 3: label 1, graded 4',
        '[4/5] line 4: label 5, graded 5',
        '[5/5] line 5: label 2, graded 2\n',
      ].join('\n'),
    )
    expect(stdout.replaceAll(model, 'llm:model').replace(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "judge  graded  ungraded  same grade %  kappa  weighted kappa  success %  kappa of success
      llm:model  4  0  50.0  0.33  0.50  75.0  0.50
      reference  1  0  100.0  –  –  100.0  –
      all  5  0  60.0  0.41  0.57  80.0  0.55

      Grades given (columns) by label (rows):
        1  2  3  4  5
      1  ·  ·  ·  1  ·
      2  ·  1  ·  ·  ·
      3  ·  ·  ·  ·  ·
      4  ·  ·  ·  ·  1
      5  ·  ·  ·  ·  2

      Graded otherwise, the worst first:
        line 3, label 1, graded 4: As it says.
        line 2, label 4, graded 5: As it says.
      "
    `)
  })

  test('--json has the figures, the confusions and every line that differs', async () => {
    const { calibrate, model } = await judging(byDigit)
    const found = JSON.parse((await calibrate(mixed, ['--json'])).stdout)
    expect(found).toMatchObject({
      judge: `reference, ${model}`,
      count: 5,
      refused: 0,
      accuracy: 0.6,
      success: { accuracy: 0.8 },
      misses: [
        { line: 3, label: 1, verdict: { grade: 4, reason: 'As it says.', judge: model } },
        { line: 2, label: 4, verdict: { grade: 5 } },
      ],
      ungraded: [],
      left: 0,
      leftOut: [],
    })
    // labels 5 4 1 5 2, given 5 5 4 5 2: by chance (2: 1*1, 4: 1*1, 5: 2*3) 8 of 25
    expect(found.kappa).toBeCloseTo((0.6 - 0.32) / (1 - 0.32), 12)
    expect(found.confusion[0]).toEqual([0, 0, 0, 1, 0])
    expect(found.byJudge.map((one: { judge: string; count: number }) => [one.judge, one.count])).toEqual([
      [model, 4],
      ['reference', 1],
    ])
  })

  test('tells bad lines by number and takes the others', async () => {
    const { calibrate } = await judging(byDigit)
    const { code, stdout, stderr } = await calibrate(
      ['{"task": "cut', labelled(5, 5), '', { ...labelled(3, 3), grade: 9 }],
      ['--json'],
    )
    expect(code).toBe(0)
    expect(stderr).toContain('labelled.jsonl, line 1: not complete JSON. Left out.')
    expect(stderr).toContain('labelled.jsonl, line 4: "grade": a whole number from 1 to 5. Left out.')
    expect(JSON.parse(stdout)).toMatchObject({ count: 1, leftOut: [{ line: 1 }, { line: 4 }] })
  })

  test('a file without a single usable line is an error', async () => {
    const { calibrate, sent } = await judging(byDigit)
    const { code, stdout, stderr } = await calibrate(['{}'])
    expect({ code, stdout, asked: sent.length }).toEqual({ code: 1, stdout: '', asked: 0 })
    expect(stderr).toContain('labelled.jsonl holds no labelled answer')
  })

  test('refusals are counted apart and told', async () => {
    const { calibrate } = await judging((request) =>
      request.user.includes('worth 3') ? 'hm' : byDigit(request),
    )
    const { code, stdout } = await calibrate([labelled(5, 5), labelled(3, 3), labelled(1, 1)])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Not graded:\n {2}line 2, label 3: .*no verdict/)
    expect(stdout).toMatch(/ 2 +1 +100\.0 +1\.00 /)
  })

  test('without a model the references decide, and the rest is told', async () => {
    const { calibrate } = await judging(null)
    const { code, stdout } = await calibrate(mixed)
    expect(code).toBe(0)
    expect(stdout).toContain('line 1, label 5: it has no reference, and AUDITION_LLM names no model')
    const none = await calibrate([labelled(5, 5)])
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain('Give lines a "reference", or name a model in AUDITION_LLM.')
  })

  test('Ctrl-C stops, and compares what was graded until then', async () => {
    const interruption = new AbortController()
    const { calibrate, sent } = await judging((request, index) => {
      if (index === 4) interruption.abort()
      return byDigit(request)
    })
    const { code, stdout, stderr } = await calibrate(
      [labelled(5, 5), labelled(1, 1), labelled(2, 2), labelled(3, 3)],
      ['--json'],
      interruption.signal,
    )
    expect({ code, asked: sent.length }).toEqual({ code: 130, asked: 5 }) // the second and third of them test the praise
    expect(stderr).toContain('Stopped after 2 of 4 answers.')
    expect(JSON.parse(stdout)).toMatchObject({ count: 2, left: 2, accuracy: 1 })
  })
})

describe('several judges', () => {
  const strict = async () => {
    const endpoint = await chatEndpoint(({ user }) =>
      user.includes('A1')
        ? JSON.stringify({
            order: user.indexOf('worth 5') < user.indexOf('worth 2') ? ['A1', 'A2'] : ['A2', 'A1'],
          })
        : JSON.stringify({ grade: isAsked(user) && user.includes('worth 5') ? '5' : '1' }),
    )
    onTestFinished(() => endpoint.close())
    return endpoint
  }
  const answers = [labelled(5, 5), labelled(2, 2), labelled(1, 1)]

  test('grade the same answers, and the table says how far they agree', async () => {
    const { settings, calibrate } = await judging(byDigit)
    settings(`models: [{ model: "${(await strict()).settings.spec}" }]\n`)
    const { code, stdout, stderr } = await calibrate(answers, ['--judges'])
    expect(code, stderr).toBe(0)
    // Grades 5 2 1 and 5 1 1: seen 2/3, by chance (4 + 1 + 9) / 36.
    expect(stdout).toContain(
      "Fleiss' kappa of 2 judges over 3 answers that all graded: 0.45 on grades, 1.00 on success.",
    )
    expect(stdout).toMatch(/middle of all +3 +0 +66\.7/)
  })

  test('who praised a control says why it gave no grade; without any grade that is a failure', async () => {
    const { model, calibrate } = await judging(() => JSON.stringify({ reasoning: 'Fine.', grade: '5' }))
    const { code, stdout } = await calibrate(answers, ['--judges'])
    expect(code).toBe(1)
    expect(stdout).toContain(`Not graded by ${model}:`)
    expect(stdout).toMatch(/line 1, label 5: .*wrong/)
    expect(stdout).toContain('Only one judge was asked')
  })

  test('and the one that compares is counted by pairs', async () => {
    const { settings, calibrate } = await judging(null)
    settings(`models: [{ model: "${(await strict()).settings.spec}" }]\n`)
    const { stdout } = await calibrate(answers.slice(0, 2), ['--comparison', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      comparison: { judge: expect.any(String), tasks: 1, unordered: 0, right: 1, equal: 0, wrong: 0 },
    })
  })

  test.each([{ flags: ['--judges'] }, { flags: ['--comparison'] }])(
    '$flags need a model, and a file',
    async ({ flags }) => {
      const { calibrate, run } = await judging(null)
      expect((await run(flags)).code).toBe(2)
      const { code, stderr } = await calibrate(answers, flags)
      expect(code).toBe(1)
      expect(stderr).toContain('AUDITION_LLM')
    },
  )
})
