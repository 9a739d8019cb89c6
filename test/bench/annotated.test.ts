import { expect, test } from 'vitest'
import { annotatedTools } from '../../bench/annotated.ts'

test("records of AgentSelect's appendix G give tools with texts, and requests with people's grades", () => {
  const suggestion = [
    '#### Ranked recommendation agents for answering: "x"',
    '1. PartII_agent_1: {"T": {"tools": ["a"]}}',
    '#### Relevant tools (score threshold >= 0.5) about "x":',
    'delete_note: Deletes a note: for good',
    '<<Mail&&Send>>: Sends mail',
    '### End',
  ].join('\n')
  const score = (value: number) => ({ score: value, note: '' })
  const { cards, requests } = annotatedTools(
    `${JSON.stringify({ suggestion })}\n`,
    JSON.stringify({
      annotations: {
        one: {
          meta: { question: 'Delete the note' },
          toolRetrieval: { delete_note: score(3), 'Mail&&Send': score(-2), Unseen: score(1) },
        },
        two: { meta: { question: 'Nothing serves' }, toolRetrieval: { 'Mail&&Send': score(-3) } },
      },
    }),
  )
  expect(cards).toMatchObject([
    { id: 'appendix-g/delete_note', name: 'delete_note', description: 'Deletes a note: for good' },
    { id: 'appendix-g/Mail&&Send', name: 'Send', server: 'Mail', description: 'Sends mail' },
    { id: 'appendix-g/Unseen', description: '' },
  ])
  expect(requests).toEqual([
    {
      text: 'Delete the note',
      grades: new Map([
        ['appendix-g/delete_note', 3],
        ['appendix-g/Unseen', 1],
      ]),
    },
  ])
})
