import { expect, test } from 'vitest'
import { call, connected, house, usesOf } from './called-house.ts'
import { textOf } from './connect.ts'

/** A house where a call may take so long, its server running already. */
async function shop(seconds = 1) {
  const at = await house({ settings: `limits: { seconds: ${seconds} }\n` })
  const client = await connected(at)
  const say = (text: string) => call(client, 'call_tool', 'shop/say', { text })
  await say('open')
  /** What became of all uses but the first, by tool. */
  const uses = async (count: number) =>
    (await usesOf(at, count + 1))
      .slice(1)
      .map(({ card, use }) => `${card.slice('shop/'.length)} ${use}`)
      .sort()
  /** Makes a call, and resolves once the server has read it. */
  const begun = (tool: string) =>
    new Promise<{ readonly answer: ReturnType<typeof client.callTool> }>((resolve) => {
      const params = { name: 'call_tool', arguments: { id: `shop/${tool}` } }
      const answer = client.callTool(params, { onprogress: () => resolve({ answer }) })
    })
  return { client, say, uses, begun, read: (tool: string) => call(client, 'call_tool', `shop/${tool}`) }
}

test('calls behind one that blocks their server are made on a new one, and only that one is blamed', async () => {
  const { client, say, uses, begun } = await shop()
  const { answer: waiting } = await begun('freeze')
  const [frozen, one, two, bought] = await Promise.all([
    waiting,
    say('one'),
    say('two'),
    call(client, 'call_tool_that_changes', 'shop/buy', { what: 'tea' }),
  ])
  expect(textOf(frozen)).toContain('it did not answer within 1 s')
  expect([textOf(one), textOf(two)]).toEqual([
    expect.stringContaining('said one'),
    expect.stringContaining('said two'),
  ])
  expect(textOf(bought)).toContain('Another call of its server may be why: this says nothing of the tool.')
  expect(textOf(bought)).toContain('look before you call again')
  expect(await uses(4)).toEqual(['buy unknown', 'freeze timeout', 'say worked', 'say worked'])
})

test('what a call waits for another one is not counted as time of its tool', async () => {
  const at = await house({ settings: 'limits: { seconds: 20 }\n' })
  const client = await connected(at)
  await call(client, 'call_tool', 'shop/say', { text: 'open' })
  const params = { name: 'call_tool', arguments: { id: 'shop/doze' } }
  const dozing = await new Promise<ReturnType<typeof client.callTool>>((resolve) => {
    const answer = client.callTool(params, { onprogress: () => resolve(answer) })
  })
  const said = await call(client, 'call_tool', 'shop/say', { text: 'late' })
  expect(textOf(said)).toContain('said late')
  await dozing
  const [, ...later] = await usesOf(at, 3)
  const secondsOf = (tool: string) => later.find(({ card }) => card === `shop/${tool}`)!.seconds
  expect(secondsOf('doze')).toBeGreaterThan(2)
  expect(secondsOf('say')).toBeLessThan(secondsOf('doze') / 2)
})

test('of two calls that the server had read, neither is blamed for its silence', async () => {
  const { uses, begun } = await shop(4)
  const [hung, frozen] = [await begun('hang'), await begun('freeze')]
  for (const one of await Promise.all([hung.answer, frozen.answer]))
    expect(textOf(one)).toContain('Another call of its server may be why: this says nothing of the tool.')
  expect(await uses(2)).toEqual(['freeze unknown', 'hang unknown'])
})

test('a tool that does not answer is blamed beside others, as long as its server answers', async () => {
  const { say, uses, read } = await shop()
  const [hung, said] = await Promise.all([read('hang'), say('x')])
  expect(textOf(hung)).toContain('it did not answer within 1 s')
  expect(textOf(said)).toContain('said x')
  expect(await uses(2)).toEqual(['hang timeout', 'say worked'])
})

test('a call that was given up while it blocked its server is not taken for the next one', async () => {
  const { client, say, uses } = await shop()
  const giveUp = new AbortController()
  const frozen = client.callTool(
    { name: 'call_tool', arguments: { id: 'shop/freeze' } },
    { signal: giveUp.signal },
  )
  setTimeout(() => giveUp.abort(), 100)
  await expect(frozen).rejects.toThrow()
  expect(textOf(await say('next'))).toContain('said next')
  expect(await uses(1)).toEqual(['say worked'])
})

test('what died with its server is made again one after the other, so that only the one that kills it is lost', async () => {
  const { uses, read } = await shop()
  const [died, ...later] = await Promise.all([read('die'), read('later'), read('later')])
  expect(textOf(died)).toContain('exited with code 3')
  for (const one of later) expect(textOf(one)).toContain('later')
  expect(await uses(3)).toEqual(['die failed', 'later worked', 'later worked'])
})

test('a crash is not counted against the call beside it', async () => {
  const { client, uses, read } = await shop()
  const [crashed, later] = await Promise.all([
    call(client, 'call_tool_that_changes', 'shop/crash'),
    read('later'),
  ])
  expect(textOf(crashed)).toContain('out of luck')
  expect(textOf(later)).toContain('later')
  // Which of the two the server reads first is chance, and with it whether the crash can be blamed.
  expect((await uses(2))[1]).toBe('later worked')
})

test('a failure for want of an answer that is not passed on is not counted, one after it is', async () => {
  const { uses, read } = await shop()
  expect(textOf(await read('ask'))).toContain('It asked for elicitation/create')
  expect(textOf(await read('askAndThrow'))).toContain('It asked for sampling/createMessage')
  expect(textOf(await read('askOfSdk'))).toContain('It asked for elicitation')
  const failed = textOf(await read('fail'))
  expect(failed).toContain('the shop is closed')
  expect(failed).not.toContain('It asked for')
  expect(await uses(4)).toEqual(['ask refused', 'askAndThrow refused', 'askOfSdk refused', 'fail failed'])
})
