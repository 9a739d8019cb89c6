import type { Card } from '../../../src/domain/card.ts'
import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandRuntime } from '../../../src/adapters/command/command-runtime.ts'
import { spokenAnswer } from '../../../src/adapters/command/command-executor.ts'
import { RuntimeError } from '../../../src/probing/ports.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { agentOf, agentProgram, cardOf, catalogFolder, commandCard, processesWith, run } from './agents.ts'

describe('a command agent', () => {
  test('reads its task and arguments as one line of JSON', async () => {
    const { card } = agentOf('input')
    const task = { text: 'Two\nlines, and "quotes" – 天気', arguments: { city: 'Oslo', days: [1, 2] } }
    const { answer } = await run(card, { task })
    expect(JSON.parse(answer)).toEqual({ task: task.text, arguments: task.arguments })
  })

  test('may answer in JSON, with a structured answer beside the text', async () => {
    const task = { text: 'count', arguments: { to: 3 } }
    const execution = await run(agentOf('structured').card, { task })
    expect(execution).toMatchObject({ answer: 'Done: count', structured: { given: { to: 3 } } })
  })

  test('sees the few variables a program needs and those its profile names, nothing else of ours', async () => {
    const environment = { ...process.env, LC_ALL: 'C', AWS_SECRET_ACCESS_KEY: 'ours', OURS: 'x', GIVEN: 'y' }
    const { card } = agentOf('environment', { run: { env: { OWN: `\${GIVEN}` } } })
    const seen = (await run(card, { environment })).answer.split(' ')
    expect(seen).toEqual(expect.arrayContaining(['OWN', 'PATH']))
    const harmless =
      /^(?:OWN|AUDITION_EXECUTION|PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|LANG|LANGUAGE|LC_\w+)$/
    expect(seen.filter((name) => !harmless.test(name))).toEqual([])
  })

  test('runs in the folder of its profile unless the profile names another', async () => {
    const { card, folder } = agentOf('whereabouts')
    expect((await run(card)).answer).toBe(folder)
    expect((await run(agentOf('whereabouts', { run: { cwd: '/' } }).card)).answer).toBe('/')
  })

  test('is read anew: the profile of now is what runs', async () => {
    const { card, folder } = agentOf('nothing')
    expect((await run(card)).ending).toBe('failed')
    const command = `run: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(agentProgram)}, echo]}`
    writeFileSync(
      join(folder, 'subject.yaml'),
      `profile: audition/v1\nname: subject\ndescription: A subject\n${command}\n`,
    )
    expect((await run(card)).ending).toBe('answered')
  })
})

describe('a command agent that misbehaves', () => {
  test.each([
    {
      behaviour: 'crash',
      ending: 'failed',
      says: /exited with code 1\. Its stderr ends with:[\s\S]*out of luck/,
    },
    { behaviour: 'exit-3', ending: 'failed', says: /^it exited with code 3$/ },
    { behaviour: 'kill-itself', ending: 'failed', says: /^it was ended by SIGKILL$/ },
    { behaviour: 'nothing', ending: 'failed', says: /^it printed no answer$/ },
    { behaviour: 'blank', ending: 'failed', says: /^it printed no answer$/ },
    { behaviour: 'binary', ending: 'failed', says: /^it printed binary data/ },
    { behaviour: 'no-utf8', ending: 'failed', says: /^it printed binary data/ },
    { behaviour: 'flood-stderr', ending: 'limit', says: /^it sent more than 1,000,000 bytes\. / },
    { behaviour: 'ignore-sigterm', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
    { behaviour: 'answer-and-stay', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
    { behaviour: 'drip', ending: 'limit', says: /^it did not answer within 1\.5 s$/ },
  ])('and is of the sort $behaviour ends as $ending', async ({ behaviour, ending, says }) => {
    const { card, mark } = agentOf(behaviour)
    const seconds = ending === 'failed' || behaviour.startsWith('flood') ? 60 : 1.5
    const execution = await run(card, { limits: { seconds, outputBytes: 1_000_000 } })
    expect(execution).toMatchObject({ ending, answer: '' })
    expect(execution.failure).toMatch(says)
    expect(processesWith(mark)).toEqual([])
  })

  test.each([
    { behaviour: 'close-stdin', answer: 'I never listen' },
    { behaviour: 'hold-stdout', answer: 'my child holds your pipe' },
    { behaviour: 'daemon', answer: 'a daemon stays in my group' },
    { behaviour: 'invalid-utf8', answer: 'caf\ufffd with one bad byte' },
  ])('but answers, as $behaviour does, has answered; what it left behind is gone', async (row) => {
    const { card, mark } = agentOf(row.behaviour)
    expect(await run(card)).toMatchObject({ ending: 'answered', answer: row.answer })
    expect(processesWith(mark)).toEqual([])
  })

  test.runIf(process.platform === 'linux')(
    'cannot leave a daemon behind in a session of its own',
    async () => {
      const { card, mark } = agentOf('own-session')
      expect(await run(card)).toMatchObject({ ending: 'answered' })
      expect(processesWith(mark)).toEqual([])
    },
  )

  test('keeps what it printed when it failed, cut and masked, in the transcript', async () => {
    const environment = { ...process.env, MY_TOKEN: 'hunter2-Zq8-unguessable' }
    const { card } = agentOf('fail-with-secret', { run: { env: { API_TOKEN: `\${MY_TOKEN}` } } })
    const { transcript } = await run(card, { environment })
    expect(transcript).toMatchObject([
      { kind: 'status' },
      { kind: 'log', text: 'cannot log in with ***' },
      { kind: 'message', text: 'my key is ***' },
    ])
  })
})

const bound = { digest: expect.stringMatching(/^[\da-f]{32}$/), words: expect.any(Array) }

describe('what is planned', () => {
  const plan = (card: Card, environment = {}) =>
    executorOf(commandRuntime, {
      catalogFolder,
      environment: { PATH: process.env.PATH, ...environment },
    }).plan(card)

  test.each([
    {
      why: 'places are filled in',
      run: { args: [`\${AUDITION_CATALOG}/demo/agents/a.js`] },
      line: `/bin/sh ${catalogFolder}/demo/agents/a.js`,
    },
    {
      why: 'variables stay names, since their values may be secret',
      run: { args: ['/a.js', `--login=\${LOGIN}`] },
      line: `/bin/sh /a.js --login=\${LOGIN}`,
    },
    {
      why: 'the environment decides what runs as well',
      run: { args: ['/a.js'], env: { NODE_OPTIONS: '--import /evil.js' } },
      line: 'env "NODE_OPTIONS=--import /evil.js" /bin/sh /a.js',
    },
    {
      why: 'a relative path means another file in another folder',
      run: { args: ['a.js'], cwd: '/usr' },
      line: 'env -C /usr /bin/sh a.js',
    },
    {
      why: 'words with spaces do not look like two words',
      run: { args: ['/a b', '/c'] },
      line: '/bin/sh "/a b" /c',
    },
  ])('says all that decides what runs: $why', async ({ run: partial, line }) => {
    const { card } = commandCard({ command: '/bin/sh', ...partial })
    expect(await plan(card, { LOGIN: 'me' })).toEqual({
      permit: `command:${line}`,
      needs: [],
      binds: { [`command:${line}`]: { place: card.provenance.location, ...bound } },
      within: expect.stringMatching(/^no sandbox: .* at most 300 s of processor time, 2 GiB of memory/),
      display: line,
      host: null,
    })
  })

  test('finds the program as the system would', async () => {
    const { permit } = await plan(commandCard({ command: 'sh' }).card)
    expect(permit).toMatch(/^command:\/\S*\/sh$/)
  })

  test.each([
    'https://example.com/profile.yaml',
    'http://127.0.0.1:1/profile.yaml',
    's3://bucket/profile.yaml',
    'file:///etc/profile.yaml',
    'data:text/yaml,profile',
  ])('refuses a profile from %s: nothing from the network is started', async (file) => {
    await expect(plan(cardOf(file))).rejects.toThrow('nothing from the network is started')
    await expect(run(cardOf(file))).rejects.toThrow(RuntimeError)
  })

  const written = (text: string) => cardOf(join(folderWith({ 'subject.yaml': text }), 'subject.yaml'))
  const head = 'profile: audition/v1\nname: subject\ndescription: A subject\n'
  test.each([
    { why: 'there is no file', card: () => cardOf('/no/such.yaml'), says: '/no/such.yaml does not exist' },
    { why: 'its path is relative', card: () => cardOf('a.yaml'), says: 'is no absolute path' },
    { why: 'it is no YAML', card: () => written('profile: [audition/v1\n'), says: 'not valid YAML' },
    {
      why: 'it is another agent now',
      card: () => written(`${head.replace('subject', 'other')}run: {command: sh}\n`),
      says: 'holds the agent "other" now',
    },
    {
      why: 'it has no command any more',
      card: () => written(`${head}backbone: {name: m}\n`),
      says: 'has no "run"',
    },
    {
      why: 'its command is missing',
      card: () => commandCard({ command: 'audition-no-such' }).card,
      says: 'command "audition-no-such" not found',
    },
    {
      why: 'its folder is missing',
      card: () => commandCard({ command: 'sh', cwd: '/no/such' }).card,
      says: 'working folder /no/such does not exist',
    },
    {
      why: 'a variable is not set',
      card: () => commandCard({ command: 'sh', args: [`\${NO_SUCH_VARIABLE}`] }).card,
      says: 'NO_SUCH_VARIABLE is not set',
    },
    {
      why: 'only a host could fill it in',
      card: () => commandCard({ command: 'sh', args: [`\${command:pick}`] }).card,
      says: 'no variable that can be filled in',
    },
    {
      why: 'it holds a secret',
      card: () => commandCard({ command: 'sh', env: { API_TOKEN: 'hunter2' } }).card,
      says: 'looks like a secret',
    },
  ])('cannot be run when $why', async ({ card, says }) => {
    const error: unknown = await plan(card()).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RuntimeError)
    expect((error as RuntimeError).message).toContain(says)
    expect((error as RuntimeError).remedy).not.toBe('')
    expect(String(error)).not.toContain('hunter2')
  })
})

describe('what a program printed', () => {
  const kindOf = (bytes: Uint8Array) => spokenAnswer(Buffer.from(bytes)).kind

  test('is an answer or none, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => ['answer', 'none'].includes(kindOf(bytes))),
    )
  })

  test('is the answer itself when it is plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '')
        expect(spokenAnswer(Buffer.from(`\n${text}\n`))).toMatchObject({ text: text.trim() })
      }),
    )
  })

  test.each([
    { why: 'JSON with an answer', printed: '{"answer": " 42 "}', expected: { text: '42' } },
    {
      why: 'a structured answer',
      printed: '{"answer":"a","structured":null}',
      expected: { structured: null },
    },
    { why: 'other JSON is a text', printed: '{"total":3}', expected: { text: '{"total":3}' } },
    {
      why: 'more fields are the answer themselves',
      printed: '{"answer":"3","unit":"km"}',
      expected: { text: '{"answer":"3","unit":"km"}' },
    },
    { why: 'an answer that is no text', printed: '{"answer":3}', expected: { text: '{"answer":3}' } },
    { why: 'half of JSON', printed: '{"answer":', expected: { text: '{"answer":' } },
    { why: 'colours are no part of it', printed: '\u001b[31m42\u001b[0m', expected: { text: '42' } },
    { why: 'an empty answer is none', printed: '{"answer":""}', expected: { kind: 'none' } },
  ])('is read: $why', ({ printed, expected }) => {
    expect(spokenAnswer(Buffer.from(printed))).toMatchObject(expected)
  })
})
