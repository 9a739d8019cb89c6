import { describe, expect, test } from 'vitest'
import { agentSelect } from '../../../evals/benchmarks/src/agentselect/agentselect.ts'
import { muleRun } from '../../../evals/benchmarks/src/agentselect/mulerun.ts'
import { readDataset } from '../../fixtures/every-dataset.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const agents = {
  PartIV_agent_1: { M: {}, T: { tools: ['TrimKites', 'Unlisted'] }, C: {} },
  PartIV_agent_2: { M: {}, T: { tools: ['CountBirds'] }, C: {} },
}
const files = {
  'agents/merge.json': agents,
  'questions/merge.json': {
    PartIV_question_1: { input: 'Trim my kite', output: '' },
    PartIV_question_2: { input: 'How many birds are there?', output: '' },
    PartIV_question_3: { input: ' ', output: '' },
  },
  'rankings/merge.json': {
    task: 'any',
    question_count: 3,
    rankings: {
      PartIV_question_1: ['PartIV_agent_1', 'PartIV_agent_2'],
      PartIV_question_2: ['PartIV_agent_2'],
      PartIV_question_3: ['PartIV_agent_2'],
    },
  },
  'Tools/merge.json': { TrimKites: { description: 'Trims' }, CountBirds: { description: 'Counts' } },
}
const below = (folder: string) =>
  Object.fromEntries(Object.entries(files).map(([path, json]) => [`${folder}${path}`, json]))

describe('the MuleRun marketplace', () => {
  test.each(['', 'MuleRun_Dataset/', 'other/MuleRun_Section9.1/MuleRun_Dataset/'])(
    'is recognised and read as its authors lay it out, below "%s"',
    async (place) => {
      const folder = folderWith(below(place))
      expect(agentSelect.recognises(folder)).toBe(false)
      const dataset = await readDataset(folder)
      expect(dataset).toMatchObject({ name: 'mulerun', headline: ['p@1', 'mrr@10', 'ndcg@10', 'hit@5'] })
      const [part] = dataset.parts
      expect(part?.queries.map(({ id, grades }) => [id, [...grades]])).toEqual([
        ['PartIV_question_1', [['agentselect/PartIV_agent_1', 1]]],
        ['PartIV_question_2', [['agentselect/PartIV_agent_2', 1]]],
      ])
      expect(part?.cards).toHaveLength(2)
      expect(part?.cards[0]).toMatchObject({ tools: [{ description: 'Trims' }, { name: 'Unlisted' }] })
      expect(dataset.notes.join('\n')).toContain('1 tool name has no entry')
      expect(dataset.notes.join('\n')).toContain('1 query was left out')
    },
  )

  test('a table that is missing is named', async () => {
    const { 'questions/merge.json': _, ...rest } = files
    const folder = folderWith(rest)
    expect(muleRun.recognises(folder)).toBe(false)
    await expect(readDataset('mulerun', { from: folder })).rejects.toThrow(/questions: merge.json is missing/)
  })
})
