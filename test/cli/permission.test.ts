import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { openContext } from '../../src/cli/context.ts'
import { ableWith, askPermission } from '../../src/cli/ask/permission.ts'
import { allowLine, notRunLines } from '../../src/cli/render/permit-lines.ts'
import { planLines } from '../../src/cli/render/probe-lines.ts'
import { outputOver } from '../../src/cli/terminal.ts'
import { shellWord } from '../../src/domain/text/shell-word.ts'
import { capture, runCaptured } from '../fakes/captured-terminal.ts'
import { agentCard } from '../fakes/fake-audition.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { scriptedExecutor } from '../fakes/scripted-executor.ts'
import { scriptedProbing } from '../fakes/scripted-probing.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-permission-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const a = agentCard('team/a')
const b = agentCard('team/b')
let count = 0

/** What a person at a terminal is asked about two agents, and what comes of their answers. */
async function asked(answers: string) {
  const executor = scriptedExecutor({ [a.id]: () => ({}), [b.id]: () => ({}) }, (card) => ({
    needs: ['chat:https://models.example'],
    display: `/bin/${card.name} --go`,
    within: 'bubblewrap: no network; at most 2 GiB of memory',
  }))
  const probing = scriptedProbing(join(folder, String(count++)), executor)
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const shown = capture(80)
  const output = outputOver(shown.stream, { NO_COLOR: '1' }, [])
  const terminal = {
    stdout: output,
    stderr: output,
    stdin,
    env: {},
    program: '',
    cwd: '/',
    home: '/',
    platform: 'linux' as const,
  }
  const { context } = openContext({ terminal, env: {}, signal: new AbortController().signal }, async () =>
    scriptedAudition({}),
  )
  const plans = await probing.plan({ cards: [a, b], tasks: { kind: 'given', tasks: [] } })
  const lines = answers.split('')
  const asking = setInterval(() => {
    if (
      (shown.text().match(/\[o\/a\/N\]/g) ?? []).length > answers.length - lines.length &&
      lines.length > 0
    ) {
      stdin.write(`${lines.shift()}\n`)
    }
  }, 5)
  try {
    const allow = await askPermission(plans, probing, context)
    return { allow, plans, shown: shown.text(), settings: (await probing.settings()).allow }
  } finally {
    clearInterval(asking)
  }
}

test('shows the exact line of each launch before it asks', async () => {
  const { shown } = await asked('nn')
  expect(shown).toContain('team/a would start: /bin/a --go')
  expect(shown).toContain('  held by: bubblewrap: no network; at most 2 GiB of memory\n')
  expect(shown).toContain('to allow: command:/bin/a')
  expect(shown).toContain('to allow: chat:https://models.example')
  expect(shown).toContain('team/b would start: /bin/b --go')
})

test.each([
  { answers: 'nn', allow: [], kept: [], able: [] },
  { answers: 'on', allow: ['command:/bin/a', 'chat:https://models.example'], kept: [], able: [a.id] },
  {
    answers: 'an',
    allow: ['command:/bin/a', 'chat:https://models.example'],
    kept: ['command:/bin/a', 'chat:https://models.example'],
    able: [a.id],
  },
  {
    answers: 'oa',
    allow: ['command:/bin/a', 'chat:https://models.example', 'command:/bin/b'],
    kept: ['command:/bin/b'],
    able: [a.id, b.id],
  },
  { answers: 'xy', allow: [], kept: [], able: [] },
])(
  'the answers "$answers" allow $allow now, $kept for good, and $able run',
  async ({ answers, allow, kept, able }) => {
    const result = await asked(answers)
    expect(result.allow).toEqual(allow)
    expect(result.settings).toEqual(['bundled', ...kept])
    expect(ableWith(result.allow, result.plans).map(({ card }) => card.id)).toEqual(able)
  },
)

test.each([
  { text: 'team/a', platform: 'linux', word: 'team/a' },
  { text: "it's $HOME", platform: 'linux', word: "'it'\\''s $HOME'" },
  { text: 'C:\\a b.exe "x"', platform: 'win32', word: '"C:\\a b.exe \\"x\\""' },
  { text: '', platform: 'linux', word: "''" },
])('$text is one word of a shell on $platform', ({ text, platform, word }) => {
  expect(shellWord(text, platform)).toBe(word)
})

test('the line that allows names what is to be looked at, not a permit that nobody has seen', () => {
  expect(allowLine('team/a b', 'linux')).toBe("audition allow 'team/a b'")
})

test.each([
  'AUDITION_LLM is "x", which names no model.', // as errors say it
  'AUDITION_LLM is "x", which names no model', // as checks say it
])('why "%s" something is not run ends in one stop before what to do', (message) => {
  const notRun = { kind: 'runtime', message, remedy: 'Write openai:<model>.' } as const
  const says = 'AUDITION_LLM is "x", which names no model. Write openai:<model>.'
  expect(notRunLines('team/a', notRun, 'linux')).toEqual([says])
  const output = outputOver(capture(80).stream, { NO_COLOR: '1' }, [])
  expect(planLines([{ card: a, launch: null, notRun, tasks: [] }], output, 'linux')).toEqual([
    'team/a',
    `  cannot be run: ${says}`,
  ])
})

test.each([
  { what: 'a command', permit: 'command:/bin/a', says: 'held by: bubblewrap: ' },
  { what: 'a server', permit: 'mcp:/x/.mcp.json#a', says: 'bubblewrap works here' },
])(
  'where no sandbox is chosen and one works, allow says so of $what, and doctor',
  async ({ permit, says }) => {
    const executor = scriptedExecutor({ [a.id]: () => ({}) }, () => ({ permit, within: 'no sandbox' }))
    const probing = scriptedProbing(join(folder, String(count++)), executor)
    const said = async (available?: 'bubblewrap') => {
      const audition = scriptedAudition({
        cards: async () => [a],
        probing: async () => probing,
        containment: async () => ({
          sandbox: 'none',
          within: 'no sandbox',
          fault: null,
          ...(available === undefined ? {} : { available }),
        }),
      })
      const doctor = await runCaptured(['doctor', '--json'], audition)
      const allow = await runCaptured(['allow', a.id], audition)
      return `${doctor.stdout}${allow.stderr}`
    }
    const heard = await said('bubblewrap')
    expect(heard).toContain('bubblewrap works here')
    expect(heard.slice(heard.indexOf('would start'))).toContain(says)
    expect(await said()).not.toContain('bubblewrap')
  },
)
