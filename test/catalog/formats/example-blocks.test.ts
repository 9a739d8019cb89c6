import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitExampleBlocks } from '../../../src/catalog/formats/example-dialogues.ts'

describe('splitExampleBlocks', () => {
  test.each([
    {
      why: 'there are no blocks',
      text: ' Reviews leases. ',
      expected: { description: 'Reviews leases.', examples: [] },
    },
    {
      why: 'dialogues stand on lines of their own',
      text: 'Use for leases. Examples:\n<example>\nContext: A draft is ready.\nuser: "Review this lease"\nassistant: "I will call it"\n<commentary>\nBecause\n</commentary>\n</example>\n<example>\nuser: \'Is clause 4 risky?\'\n</example>',
      expected: { description: 'Use for leases.', examples: ['Review this lease', 'Is clause 4 risky?'] },
    },
    {
      why: 'YAML folded the lines into one',
      text: 'Use for leases. <example> Context: A draft. user: "Review: this lease" assistant: "Yes" <commentary>x</commentary> </example>',
      expected: { description: 'Use for leases.', examples: ['Review: this lease'] },
    },
    {
      why: 'the list mark and a heading introduce the block, and it is never closed',
      text: 'Use for leases.\n\nExamples:\n- <example>\n  user: Review it\n  assistant: "Yes"',
      expected: { description: 'Use for leases.', examples: ['Review it'] },
    },
    {
      why: 'a block has ended: what follows is no dialogue',
      text: 'A. <example>\nuser: "b"\n</example>\nIn logs:\nuser: root',
      expected: { description: 'A.', examples: ['b'] },
    },
    {
      why: 'one example comes twice',
      text: 'A. <example>\nuser: "b"\n</example><example>\nuser: "b"\n</example>',
      expected: { description: 'A.', examples: ['b'] },
    },
    {
      why: 'the blocks are all there is: their contexts say it',
      text: '<example>\nContext: A lease came in.\nuser: "Read it"\n</example>',
      expected: { description: 'A lease came in.', examples: ['Read it'] },
    },
  ])('reads the description when $why', ({ text, expected }) => {
    expect(splitExampleBlocks(text)).toEqual(expected)
  })

  test('never throws, and never gives an empty example', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom('<example>', '</example>', '\nuser: ', 'assistant: "', '"', '\n'),
      ),
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        for (const example of splitExampleBlocks(parts.join('')).examples) expect(example).not.toBe('')
      }),
    )
  })
})
