import { expect, test } from 'vitest'
import { permitKinds, permitWords } from '../../src/compose/runtimes.ts'
import { inWords } from '../../src/page/app/permit-words.ts'

const later = ': whatever it starts, what is added later, and after a change too'

test.each([
  ['bundled', 'Everything that ships with Audition, but for the models it needs'],
  ['mcp:/a/.mcp.json#forge', 'The MCP server /a/.mcp.json#forge'],
  ['mcp:/a/*', `Every MCP server whose configuration and name begin with /a/${later}`],
  ['mcp:/a/.mcp.json#*', `Every MCP server in /a/.mcp.json${later}`],
  ['command:/bin/echo hi', 'The program /bin/echo hi'],
  ['command:/bin/*', `Every agent whose command line begins with /bin/${later}`],
  ['command:/bin/echo #*', `Every agent whose command line begins with /bin/echo #${later}`],
  ['profile:/a/one.yaml', 'The agent of the file /a/one.yaml'],
  ['profile:/a/*', `Every agent whose file begins with /a/${later}`],
  ['subagent:/a/one.md', 'The sub-agent of the file /a/one.md'],
  ['subagent:/a/*', `Every sub-agent whose file begins with /a/${later}`],
  ['skill:/a/SKILL.md', 'The skill of the file /a/SKILL.md'],
  ['skill:/a/*', `Every skill whose file begins with /a/${later}`],
  ['a2a:https://agents.example', 'Agents at https://agents.example'],
  [
    'a2a:https://agents.example/*',
    `Every agent at an address that begins with https://agents.example/${later}`,
  ],
  ['chat:https://models.example', 'The chat service at https://models.example'],
  [
    'chat:https://models.example/*',
    `Every chat service at an address that begins with https://models.example/${later}`,
  ],
  ['unknown:one', 'unknown:one'],
])('%s', (permit, words) => {
  expect(inWords(permit, permitWords)).toBe(words)
})

test('every kind of permit has words, each once', () => {
  expect(permitWords.map(({ permit }) => permit)).toEqual(permitKinds)
})
