import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedRequests } from '../../../src/evaluation/findability/generate-requests.ts'
import { toolsOfFile, typicalCatalog } from '../../../src/evaluation/findability/own-tools.ts'
import { requestsFor, writtenRequests } from '../../../src/evaluation/findability/tool-requests.ts'
import { plainWords } from '../../../src/evaluation/host-rankers/host-ranker.ts'
import { openDocument } from '../../../src/catalog/source-document.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { folderWith, temporaryFolder } from '../../fixtures/temporary-folder.ts'

const tool = { name: 'create_note', description: 'Make a note', inputSchema: { type: 'object' } }

const documentOf = (contents: unknown) =>
  openDocument(join(folderWith({ 'a.json': contents }), 'a.json'), 'a.json')

describe('a list of tools', () => {
  test.each([
    { why: 'a tools/list result', contents: { tools: [tool] } },
    { why: 'the JSON-RPC answer', contents: { jsonrpc: '2.0', id: 1, result: { tools: [tool] } } },
    { why: 'a bare list', contents: JSON.stringify([tool]) },
    { why: 'tools one a line', contents: [tool] },
  ])('is read of $why', ({ contents }) => {
    expect(toolsOfFile(documentOf(contents), 'vault')).toEqual([{ ...tool, server: 'vault' }])
  })

  test.each([{ contents: { mcpServers: {} } }, { contents: 'text' }])(
    'is not in $contents',
    ({ contents }) => {
      expect(toolsOfFile(documentOf(contents), 'vault')).toBeUndefined()
    },
  )

  test('keeps the hint that Claude Code reads, on one line', () => {
    const hinted = { ...tool, name: 'jot', _meta: { 'anthropic/searchHint': 'jot\n down' } }
    expect(toolsOfFile(documentOf({ tools: [hinted, tool] }), 'vault')).toEqual([
      { ...tool, name: 'jot', server: 'vault', searchHint: 'jot down' },
      { ...tool, server: 'vault' },
    ])
  })

  test.each([
    {
      why: 'no tools',
      contents: { jsonrpc: '2.0', result: { tools: [] } },
      says: 'a.json: no tool is listed.',
    },
    { why: 'no name', contents: { tools: [tool, {}] }, says: 'a.json: tools[1].name has no name.' },
    { why: 'no object', contents: { tools: [tool, 'x'] }, says: 'a.json: tools[1] is no object.' },
    {
      why: 'a name twice',
      contents: { tools: [tool, tool] },
      says: 'a.json: tools[1].name "create_note" is listed twice',
    },
    {
      why: 'a broken line',
      contents: `${JSON.stringify(tool)}\n{"name":`,
      says: 'a.json: line 2 the line is no JSON.',
    },
  ])('is refused for $why', ({ contents, says }) => {
    expect(() => toolsOfFile(documentOf(contents), 'vault')).toThrow(says)
  })
})

describe('requests of a file', () => {
  const tools = [
    { name: 'create_note', server: 'vault' },
    { name: 'search', server: 'vault' },
  ]
  const read = (name: string, text: string) => {
    const path = join(temporaryFolder(), name)
    writeFileSync(path, text)
    return requestsFor(tools, writtenRequests(path))
  }

  test.each([
    {
      name: 'a.jsonl',
      text: '{"request": "jot this", "tool": "create_note"}\n\n{"request": "where is it", "tool": "vault/search"}\n',
    },
    {
      name: 'a.yaml',
      text: '- request: jot this\n  tool: create_note\n- {request: where is it, tool: search}\n',
    },
    {
      name: 'a.json',
      text: '[{"request":"jot this","tool":"create_note"},{"request":"where is it","tool":["search"]}]',
    },
  ])('are read of $name', ({ name, text }) => {
    expect(read(name, text)).toEqual([
      { text: 'jot this', tools: [0] },
      { text: 'where is it', tools: [1] },
    ])
  })

  test('that come again are one, which all their tools serve', () => {
    const text = '{"request": "notes", "tool": "create_note"}\n{"request": "notes", "tool": "search"}'
    expect(read('a.jsonl', text)).toEqual([{ text: 'notes', tools: [0, 1] }])
  })

  test.each([
    {
      name: 'a.jsonl',
      text: '{"request": "a", "tool": "search"}\n\nnot json',
      says: /a\.jsonl, line 3: not a complete JSON/,
    },
    { name: 'a.jsonl', text: '\n{"tool": "search"}', says: /a\.jsonl, line 2: "request" is no text/ },
    { name: 'a.jsonl', text: '{"request": "a"}', says: /a\.jsonl, line 1: "tool" is no text/ },
    {
      name: 'a.jsonl',
      text: '{"request": "a", "tool": "create_notes"}',
      says: /line 1: no tool "create_notes"/,
    },
    {
      name: 'a.yaml',
      text: '- request: a\n  tool: search\n- nothing',
      says: /a\.yaml, entry 2: not a request/,
    },
    { name: 'a.yaml', text: 'request: a', says: /a\.yaml: not a list/ },
    { name: 'a.jsonl', text: '\n', says: /a\.jsonl: no request is in it/ },
  ])('are refused: $says', ({ name, text, says }) => {
    expect(() => read(name, text)).toThrow(says)
  })

  test('say which tools there are', () => {
    expect(() => read('a.jsonl', '{"request": "a", "tool": "create_notes"}')).toThrow(
      expect.objectContaining({ remedy: 'Closest names: create_note.' }),
    )
  })
})

describe('the typical catalog', () => {
  const typical = typicalCatalog(join(packageRoot, 'evals', 'typical', 'tools.jsonl'))

  test('is 200 tools of 30 servers, none twice', () => {
    expect(typical).toHaveLength(200)
    expect(new Set(typical.map(({ server }) => server)).size).toBe(30)
    expect(new Set(typical.map(({ server, name }) => `${server}/${name}`)).size).toBe(200)
  })

  test('says what our catalogs say: `npm run typical-catalog` writes it', () => {
    const folder = join(packageRoot, 'embeddings', 'trainer', 'data', 'tools')
    const ours = new Set(
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => jsonLinesOf(join(folder, name, 'tools.jsonl')))
        .map(({ documentation }) => (documentation as { readonly description: string }).description),
    )
    expect(typical.filter(({ description = '' }) => !ours.has(description))).toEqual([])
  })
})

describe('generated requests', () => {
  test('are made of examples, clauses and arguments, with everyday verbs', () => {
    expect(
      generatedRequests({
        name: 'create_issue',
        description:
          'Creates a ticket in the tracker, for example "the login page is broken". Labels are optional here.',
        inputSchema: { type: 'object', properties: { title: {}, body: { examples: ['crash on start up'] } } },
      }),
    ).toEqual([
      'the login page is broken',
      'crash on start up',
      'make a ticket in the tracker',
      'Labels are optional here',
      'make issue by title and body',
    ])
  })

  test('never hold the name of their tool, and are 2 to 12 words', () => {
    for (const one of typicalCatalog(join(packageRoot, 'evals', 'typical', 'tools.jsonl'))) {
      const made = generatedRequests(one)
      expect(made.length).toBeLessThanOrEqual(5)
      for (const text of made) {
        const words = plainWords(text)
        expect(words.length).toBeLessThanOrEqual(12)
        const name = plainWords(one.name)
        if (name.length > 1) expect(` ${words.join(' ')} `).not.toContain(` ${name.join(' ')} `)
      }
    }
  })

  test('are none for a tool that says nothing', () => {
    expect(generatedRequests({ name: 'do_it' })).toEqual([])
  })
})
