import { describe, expect, test } from 'vitest'
import { recognise } from '../../../src/catalog/readers.ts'
import { toolretJsonl } from '../../../src/catalog/readers/toolret-jsonl.ts'
import { documentFromText, openDocument } from '../../../src/catalog/source-document.ts'
import { textsOf } from '../../../src/retrieval/text/card-texts.ts'
import { identify } from '../../../src/catalog/identity.ts'
import type { CardDraft } from '../../../src/catalog/ports.ts'
import { folderWith } from '../../fixtures/temporary-folder.ts'

const documentation = {
  name: 'tide_table',
  description: 'Hours of high and low water',
  parameters: { harbour: { type: 'string', description: 'Name of the harbour', required: true } },
  notes: 'Times are of the local zone',
}

const python = `{'name': 'tide_table', 'description': 'Hours of high and low water', 'parameters': {'harbour': {'type': 'string', 'description': 'Name of the harbour', 'required': True}}, 'notes': 'Times are of the local zone'}`

const read = (published: unknown): CardDraft => {
  const line = JSON.stringify({ id: 'sea_tool_1', documentation: published })
  const { cards, problems } = toolretJsonl.read(documentFromText('/sea/tools.jsonl', line))
  expect(problems).toEqual([])
  return cards[0]!
}
const textsOfDraft = (draft: CardDraft) =>
  textsOf(identify('sea', [{ draft, origin: { reader: 'toolret-jsonl', location: 'sea' } }]).cards[0]!)

describe('documentation of ToolRet', () => {
  const asObject = read(documentation)

  test.each([
    { why: 'JSON text, as released', published: JSON.stringify(documentation) },
    { why: 'JSON text encoded twice', published: JSON.stringify(JSON.stringify(documentation)) },
    { why: 'a Python literal', published: python },
    { why: 'a list of one', published: JSON.stringify([documentation]) },
    {
      why: 'an object with its parameters as text',
      published: { ...documentation, parameters: JSON.stringify(documentation.parameters) },
    },
  ])('as $why gives the same texts as the object it is', ({ published }) => {
    const draft = read(published)
    expect(textsOfDraft(draft)).toEqual(textsOfDraft(asObject))
    expect(draft.kind === 'tool' && draft.parameters).toEqual([
      { name: 'harbour', description: 'Name of the harbour', type: 'string', required: true },
    ])
    expect(textsOfDraft(draft).body).toContain('local zone')
  })

  test('as plain text is the description', () => {
    expect(read('Shows tides. {harbour} is a name.')).toMatchObject({
      name: 'sea_tool_1',
      description: 'Shows tides. {harbour} is a name.',
    })
  })
})

describe('AgentBase', () => {
  const record = {
    agent_id: 'agt:kites:12@v1',
    agent_name: 'Kite coach',
    agent_description: 'Teaches to fly kites',
    agent_category: 'Sport',
    base_model: 'lark-7b',
    agent_usage: JSON.stringify({ quick_start: ['How do I launch alone?'] }),
  }

  test.each([
    { file: 'agents.jsonl', text: JSON.stringify(record) },
    { file: 'agents.json', text: JSON.stringify([record]) },
  ])('is indexed from $file', ({ file, text }) => {
    const document = documentFromText(`/kites/${file}`, text)
    const reader = recognise(document)
    expect(reader?.name).toBe('agentbase-jsonl')
    expect(reader!.read(document)).toMatchObject({
      problems: [],
      sourceName: 'kites',
      cards: [
        {
          kind: 'agent',
          key: 'agt:kites:12@v1',
          name: 'Kite coach',
          description: 'Teaches to fly kites',
          examples: ['How do I launch alone?'],
          tags: ['Sport'],
          backbone: { name: 'lark-7b' },
        },
      ],
    })
  })

  test('a record without an id is told by its line, and the rest is read', () => {
    const text = [record, { ...record, agent_id: '' }].map((one) => JSON.stringify(one)).join('\n')
    const document = documentFromText('/kites/agents.jsonl', text)
    const { cards, problems } = recognise(document)!.read(document)
    expect(cards).toHaveLength(1)
    expect(problems).toMatchObject([{ severity: 'error', field: 'line 2, agent_id' }])
  })
})

describe('agents of AgentSelect', () => {
  const files = {
    'Tools/merge.json': { FlyKite: { description: 'Flies a kite' } },
    'PartII/agents/merge.json': {
      PartII_agent_1: { M: {}, T: { tools: ['FlyKite', 'Unknown'] }, C: {} },
      PartII_agent_2: { M: { name: 'PartI1_agent_3' }, T: { tools: [] }, C: {} },
    },
    'MuleRun/agents/merge.json': { PartIV_agent_1: { M: null, T: { tools: ['FlyKite'] }, C: {} } },
    'MuleRun/Tools/merge.json': { FlyKite: { description: 'Flies a mule' } },
  }

  test('are indexed with what their tools do, and the faulty ones are told', () => {
    const folder = folderWith(files)
    const document = openDocument(`${folder}/PartII/agents/merge.json`)
    const reader = recognise(document)
    expect(reader?.name).toBe('agentselect-json')
    expect(reader!.read(document)).toMatchObject({
      sourceName: 'agentselect-PartII',
      cards: [
        {
          key: 'PartII_agent_1',
          agentKind: 'toolkit',
          backbone: null,
          tools: [{ name: 'FlyKite', description: 'Flies a kite' }, { name: 'Unknown' }],
        },
      ],
      problems: [{ severity: 'error', message: expect.stringContaining('PartII_agent_2') }],
    })
  })

  test('the table of tools may lie beside the folder of the agents, and may be absent', () => {
    const folder = folderWith(files)
    const document = openDocument(`${folder}/MuleRun/agents/merge.json`)
    expect(recognise(document)!.read(document)).toMatchObject({
      sourceName: 'MuleRun',
      cards: [{ tools: [{ name: 'FlyKite', description: 'Flies a mule' }] }],
    })
    const alone = documentFromText('/x/merge.json', JSON.stringify(files['MuleRun/agents/merge.json']))
    expect(recognise(alone)!.read(alone)).toMatchObject({ cards: [{ tools: [{ name: 'FlyKite' }] }] })
  })
})
