import { expect, onTestFinished, test } from 'vitest'
import { rerankersOf } from '../src/compose/open-reranker.ts'
import { configFrom } from '../src/config.ts'
import { rerankServer } from './fakes/rerank-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

const serverOf = async () => {
  const server = await rerankServer(() => 1)
  onTestFinished(() => server.close())
  return server
}
const open = (environment: NodeJS.ProcessEnv, ...specs: readonly string[]) =>
  rerankersOf(configFrom({ AUDITION_HOME: temporaryFolder(), ...environment }), specs, fetch)

test('of several rerankers the key goes to the first place alone, however often it is named', async () => {
  const [ours, other] = [await serverOf(), await serverOf()]
  const first = `rerank:${ours.origin}/jina#m`
  const stages = await open(
    { AUDITION_RERANKER: first, AUDITION_RERANKER_KEY: 'sk-ours' },
    `${first}?depth=7`,
    first,
    `rerank:${other.origin}/jina#m`,
  )
  expect(stages.map(({ name, depth }) => [name, depth])).toEqual([
    [first, 30],
    [`${first}?depth=7`, 7],
    [`rerank:${other.origin}/jina#m`, 30],
  ])
  for (const { encoder } of stages) await encoder.score('q', ['a', 'b'])
  const keysOf = ({ requests }: typeof ours) => requests.map(({ headers }) => headers.authorization)
  expect(keysOf(ours)).toEqual(['Bearer sk-ours', 'Bearer sk-ours'])
  expect(keysOf(other)).toEqual([undefined])
})

test("others have keys by their provider's name, and say so", async () => {
  const specs = ['rerank:voyage#rerank-2.5', 'rerank:cohere#rerank-v3.5'] as const
  const [voyage, cohere] = ['AUDITION_RERANKER_KEY', 'AUDITION_RERANKER_KEY_COHERE']
  await expect(open({ [voyage!]: 'a', [cohere!]: 'b' }, ...specs)).resolves.toHaveLength(2)
  await expect(open({ [voyage!]: 'a' }, ...specs)).rejects.toMatchObject({
    remedy: expect.stringContaining('AUDITION_RERANKER_KEY_COHERE'),
  })
})

test('a line of the flag that cannot be read is told as the flag’s', async () => {
  await expect(open({}, 'llm:')).rejects.toThrow('--reranker is "llm:", which names no model.')
  const { origin } = await serverOf()
  await expect(open({ AUDITION_RERANKER: `rerank:${origin}/jina#m` }, 'rerank:')).rejects.toThrow(
    '--reranker names no address after "rerank:".',
  )
  await expect(open({ AUDITION_RERANKER: 'rerank:' }, 'llm:')).rejects.toThrow('AUDITION_RERANKER names')
})
