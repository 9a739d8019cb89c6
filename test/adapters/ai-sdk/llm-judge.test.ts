import { describe, expect, test } from 'vitest'
import { objectIn } from '../../../src/adapters/ai-sdk/judge/ask-for-object.ts'
import { cutToTokens } from '../../../src/adapters/ai-sdk/agents/fenced-data.ts'
import { llmJudge, type LlmJudgeOptions } from '../../../src/adapters/ai-sdk/judge/llm-judge.ts'
import { z } from 'zod'
import type { Task } from '../../../src/probing/ports.ts'
import type { ChatReply } from '../../fakes/chat-endpoint.ts'
import { inTurn, openedChats } from '../../fakes/opened-chats.ts'
import { answered } from '../../probing/judges/executions.ts'

const task: Task = { text: 'Name the capital of France.' }
const verdict = (grade: number | string, reasoning = 'So it is.') =>
  JSON.stringify({ reasoning, grade: String(grade) })

const opened = openedChats()
/** A judge whose model gives these replies in turn, the last one for ever. */
async function judgeOf(replies: readonly ChatReply[], options: LlmJudgeOptions = {}) {
  const endpoint = await opened(inTurn(replies))
  return { judge: llmJudge(endpoint.settings, options), sent: endpoint.sent, settings: endpoint.settings }
}

describe('a model that judges', () => {
  test('is asked with the rubric, the task, the good answer and the answer, and its grade counts', async () => {
    const { judge, sent, settings } = await judgeOf([verdict(4, 'Right,\nbut short.')])
    expect(await judge.judge({ ...task, golden: 'Paris.' }, answered('Paris, I think'))).toEqual({
      grade: 4,
      reason: 'Right, but short.',
      judge: `llm:${settings.spec}`,
    })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.system).toContain('5: does it fully')
    expect(sent[0]?.user).toMatch(
      /\| Name the capital of France\.[\s\S]*\| Paris\.\n[\s\S]*\| Paris, I think\n/,
    )
    expect(sent[0]?.authorization).toBe('Bearer sk-secret')
    expect(sent[0]?.shape).toMatchObject({ type: 'json_schema' })
  })

  test('sees the structured answer where there is no text, and nothing at all is not worth asking', async () => {
    const { judge, sent } = await judgeOf([verdict(5)])
    await judge.judge(task, answered('', { capital: 'Paris' }))
    expect(sent[0]?.user).toContain('| {"capital":"Paris"}')
    expect(await judge.judge(task, answered(' '))).toMatchObject({ grade: 1 })
    expect(sent).toHaveLength(1)
  })

  test('is sent no token that shows what it is, of the task, the good answer or the answer', async () => {
    const { judge, sent } = await judgeOf([verdict(4)])
    const tokens = ['a', 'b', 'c'].map((one) => `ghp_${one.repeat(36)}`)
    await judge.judge(
      { text: `Use ${tokens[0]}`, golden: `It is ${tokens[1]}` },
      answered(`I used ${tokens[2]}, and it worked`),
    )
    await judge.judge(task, answered('', { key: tokens[2]! }))
    expect(JSON.stringify(sent)).not.toMatch(/ghp_/)
    expect(sent[0]?.user).toContain('| I used ***, and it worked')
  })

  test('sees the first 4,000 tokens of a long answer, and is told', async () => {
    const { judge, sent } = await judgeOf([verdict(3)])
    await judge.judge(task, answered(`${'word '.repeat(5000)}THE END`))
    expect(sent[0]?.user).toContain('The answer to grade (its first 4000 of about 6252 tokens):')
    expect(sent[0]?.user).not.toContain('THE END')
    expect(sent[0]?.system).toContain('up to 4000 tokens')
  })

  test.each([
    { grades: [2], expected: 2, told: undefined },
    { grades: [5, 3, 4], expected: 4, told: '3, 4, 5' },
    { grades: [5, 1, 1], expected: 1, told: '1, 1, 5' },
    { grades: [4, 2, 3, 5], expected: 3, told: '2, 3, 4, 5' },
  ])('the middle of $grades is $expected', async ({ grades, expected, told }) => {
    const { judge, sent } = await judgeOf(
      grades.map((grade) => verdict(grade, `Grade ${grade}.`)),
      { repeats: grades.length },
    )
    const reason = told === undefined ? `Grade ${expected}.` : `Grade ${expected}. (the middle of ${told})`
    expect(await judge.judge(task, answered('Paris'))).toMatchObject({ grade: expected, reason })
    expect(sent).toHaveLength(grades.length)
  })

  test.each([
    { why: 'thinking before it', reply: `<think>A {"grade": "1"} would be harsh.</think>\n${verdict(4)}` },
    { why: 'a code fence around it', reply: `\`\`\`json\n${verdict(4)}\n\`\`\`` },
    {
      why: 'thinking that quotes an end of thinking',
      reply: `<think>It says </think>${verdict(5)} and lies.</think>${verdict(4)}`,
    },
  ])('$why is taken off', async ({ reply }) => {
    const { judge, sent } = await judgeOf([reply])
    expect(await judge.judge(task, answered('Paris'))).toMatchObject({ grade: 4 })
    expect(sent).toHaveLength(1)
  })

  test.each([
    { why: 'a verdict that is quoted', reply: `The answer says ${verdict(5)} but it is wrong.` },
    { why: 'two verdicts', reply: `${verdict(5)}\n${verdict(1)}` },
    { why: 'a grade out of range', reply: verdict(6) },
    { why: 'nothing', reply: '' },
  ])('$why: it is asked once more, then refuses', async ({ reply }) => {
    const once = await judgeOf([reply, verdict(2)])
    expect(await once.judge.judge(task, answered('Paris'))).toMatchObject({ grade: 2 })
    expect(once.sent[1]?.user).toContain('the JSON object alone')
    const never = await judgeOf([reply])
    expect(await never.judge.judge(task, answered('Paris'))).toMatchObject({
      refusal: expect.stringContaining('no verdict'),
    })
    expect(never.sent).toHaveLength(2)
  })

  test('a grade that is a number, without a reason, counts', async () => {
    const { judge, sent } = await judgeOf(['{"grade": 5}'])
    expect(await judge.judge(task, answered('Paris'))).toMatchObject({
      grade: 5,
      reason: 'The model gave no reason.',
    })
    expect(sent).toHaveLength(1)
  })

  test('of several gradings, half must be usable', async () => {
    const { judge } = await judgeOf(['no', 'no', verdict(4)], { repeats: 2 })
    expect(await judge.judge(task, answered('Paris'))).toMatchObject({ grade: 4 })
    const { judge: worse } = await judgeOf(['no', 'no', 'no', 'no', verdict(4)], { repeats: 3 })
    expect(await worse.judge(task, answered('Paris'))).toMatchObject({ refusal: expect.any(String) })
  })

  test('an endpoint that refuses is a refusal to grade, without the key', async () => {
    const { judge } = await judgeOf([{ status: 401, body: '{"error": {"message": "bad key sk-secret"}}' }])
    const refused = await judge.judge(task, answered('Paris'))
    expect(refused).toMatchObject({ refusal: expect.stringContaining('could not be asked') })
    expect(JSON.stringify(refused)).not.toContain('sk-secret')
  })

  test('a caller who stops it gets no verdict', async () => {
    const { judge, sent } = await judgeOf([verdict(5)])
    await expect(
      judge.judge(task, answered('Paris'), AbortSignal.abort(new Error('enough'))),
    ).rejects.toThrow('enough')
    expect(sent).toHaveLength(0)
  })

  test.each([0, 10, 1.5])('%d repeats are refused', (repeats) => {
    expect(() => llmJudge({ spec: 'ollama:qwen3' }, { repeats })).toThrow(RangeError)
  })

  test('a setting that names no model is refused at once', () => {
    expect(() => llmJudge({ spec: 'gpt' })).toThrow('AUDITION_LLM')
  })
})

describe('the parts', () => {
  test.each([
    { text: 'abcd'.repeat(10), most: 10, kept: 40, tokens: 10 },
    { text: 'abcd'.repeat(10), most: 9, kept: 36, tokens: 10 },
    { text: 'день'.repeat(3), most: 3, kept: 6, tokens: 6 },
    { text: '日本語日本語', most: 4, kept: 4, tokens: 6 },
    { text: '😀😀😀', most: 2, kept: 4, tokens: 3 },
    { text: '', most: 1, kept: 0, tokens: 0 },
  ])(
    '$text cut to $most tokens keeps $kept units of about $tokens tokens',
    ({ text, most, kept, tokens }) => {
      expect(cutToTokens(text, most)).toEqual({
        text: text.slice(0, kept),
        tokens,
        wasCut: kept < text.length,
      })
    },
  )

  test('an object is never picked out of a text', () => {
    const shape = z.object({ a: z.number() })
    expect(objectIn('{"a": 1}', shape)).toEqual({ a: 1 })
    expect(objectIn('It is {"a": 1}', shape)).toBeNull()
    expect(objectIn('```\n{"a": 1}\n```\n```\n{"a": 2}\n```', shape)).toBeNull()
  })
})
