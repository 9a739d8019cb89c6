import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { npmServers } from '../../bench/context/npm-servers.ts'
import { measurePeer } from '../../bench/context/measure-schemes.ts'
import { readRequests, rightCandidate } from '../../bench/context/requests.ts'
import { sampleArguments } from '../../bench/context/sample-arguments.ts'
import {
  allLoaded,
  costOf,
  idOf,
  loadedTool,
  type NamedTool,
  peers,
  substringScore,
} from '../../bench/context/schemes.ts'
import type { JsonObject } from '../../src/domain/json.ts'

const requests = readRequests()
const servers = new Set(npmServers.map(({ name }) => name))

describe('the requests', () => {
  test('are 150, six for each of 25 servers, none twice', () => {
    const counts = new Map<string, number>()
    for (const { server } of requests) counts.set(server, (counts.get(server) ?? 0) + 1)
    expect(counts.size).toBe(25)
    expect(new Set(counts.values())).toEqual(new Set([6]))
    expect(new Set(requests.map(({ request }) => request)).size).toBe(150)
  })

  test('name tools of known servers, and give the name of none away', () => {
    for (const { server, tools, request } of requests) {
      expect(tools.some((id) => id.startsWith(`${server}/`))).toBe(true)
      expect(new Set(tools).size).toBe(tools.length)
      for (const id of tools) {
        const [owner, name] = id.split('/')
        expect(servers).toContain(owner)
        expect(name).toMatch(/^[\w-]+$/)
        // A name of several words would give the tool away; words such as "explain" are anybody's.
        if (/[_-]/.test(name!)) expect(request).not.toContain(name)
      }
    }
  })

  test('every server is pinned and named once', () => {
    expect(servers.size).toBe(npmServers.length)
    for (const { version } of npmServers) expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })
})

const tool = (server: string, name: string, description: string): NamedTool => ({
  server,
  tool: { name, description, inputSchema: { type: 'object', properties: { id: { type: 'string' } } } },
})
const post = tool('chat', 'post_message', 'Post a message to a channel')
const list = tool('forge', 'list_issues', 'List the issues of a repository')
const tools = [post, list]

describe('what a scheme costs', () => {
  test('loaded, a tool is its name with the server, its description and its inputs', () => {
    expect(loadedTool(post)).toEqual({
      name: 'mcp__chat__post_message',
      description: 'Post a message to a channel',
      input_schema: { type: 'object', properties: { id: { type: 'string' } } },
    })
    expect(allLoaded(tools)).toBe(JSON.stringify(tools.map(loadedTool)).length)
  })

  test('is what is always there and the mean of its answers, 3.2 bytes a token', () => {
    expect(costOf(3_200, [320, 960], 64_000)).toEqual({ listed: 1_000, answer: 200, share: 6 })
    expect(costOf(64_000, [], 64_000)).toEqual({ listed: 20_000, answer: 0, share: 100 })
  })

  test.each(peers)('$name: an answer holds the schemas of what it found', ({ answer, k }) => {
    const bytes = JSON.stringify(post.tool.inputSchema).length
    expect(answer([post], 'x') - answer([], 'x')).toBeGreaterThan(bytes)
    expect(answer(tools, 'x')).toBeGreaterThan(answer([post], 'x'))
    expect(k).toBeGreaterThan(0)
  })

  test('names of deferred tools are always there in Claude Code alone', () => {
    const growing = peers.filter(({ listed }) => listed(tools) > listed([]))
    expect(growing.map(({ name }) => name)).toEqual(["Claude Code's ToolSearch"])
    const [claudeCode] = growing
    expect(claudeCode!.listed(tools) - claudeCode!.listed([])).toBe(
      'mcp__chat__post_message\nmcp__forge__list_issues\n'.length,
    )
  })

  test('LiteLLM counts words that are anywhere in name or description', () => {
    expect(substringScore('Post a note', post)).toBe(2)
    expect(substringScore('ISSUES of mine', list)).toBe(2)
    expect(substringScore('nothing whatever', list)).toBe(0)
  })

  test('a request counts as served where a right tool is among the k of the answer', async () => {
    const asked = [
      { server: 'forge', tools: ['forge/list_issues'], request: 'issues of the repository' },
      { server: 'chat', tools: ['chat/gone'], request: 'post a message' },
    ]
    for (const scheme of peers) {
      const { callable, failures, cost } = await measurePeer(scheme, { tools, requests: asked, all: 10_000 })
      expect(callable).toBe(1)
      expect(failures).toEqual([{ request: asked[1], why: expect.stringContaining(idOf(post)) }])
      expect(cost.answer).toBeGreaterThan(0)
    }
  })
})

describe('what an answer of ours lets be called', () => {
  const request = { server: 'forge', tools: ['forge/list_issues', 'forge/search'], request: 'x' }
  const required = () => ['owner', 'repo']
  test.each([
    {
      why: 'all that is required is named',
      inputs: 'owner: string - who; repo: string; …3 optional',
      isComplete: true,
    },
    { why: 'a required one is cut', inputs: 'owner: string; …2 more', isComplete: false },
    {
      why: 'a name within another does not count',
      inputs: 'owner: string; reponame: string',
      isComplete: false,
    },
    { why: 'no inputs are shown', inputs: undefined, isComplete: false },
  ])('complete is $isComplete where $why', ({ inputs, isComplete }) => {
    const candidates = [
      { id: 'chat/post' },
      { id: 'forge/search', ...(inputs === undefined ? {} : { inputs }) },
    ]
    expect(rightCandidate(candidates, request, required)).toEqual({ id: 'forge/search', isComplete })
  })

  test('nothing where no right tool is among the candidates', () => {
    expect(rightCandidate([{ id: 'chat/post' }], request, required)).toBeUndefined()
  })
})

test.each<{ readonly what: string; readonly schema: JsonObject }>([
  { what: 'no inputs', schema: { type: 'object' } },
  {
    what: 'required ones of every type',
    schema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 3 },
        count: { type: 'integer', minimum: 5 },
        above: { type: 'number', exclusiveMinimum: 2 },
        flag: { type: 'boolean' },
        kind: { enum: ['a', 'b'] },
        fixed: { const: 7 },
        list: { type: 'array', items: { type: 'integer' }, minItems: 2 },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
        nothing: { type: ['null', 'string'] },
      },
      required: ['text', 'count', 'above', 'flag', 'kind', 'fixed', 'list', 'pair', 'nothing'],
    },
  },
  {
    what: 'objects in objects, choices and references',
    schema: {
      type: 'object',
      properties: {
        where: { $ref: '#/$defs/place' },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        both: { allOf: [{ $ref: '#/$defs/place' }] },
      },
      required: ['where', 'either', 'both'],
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    },
  },
])('made-up arguments fit a schema of $what', ({ schema }) => {
  const ajv = new Ajv({ strict: false })
  ajv.validate(schema, sampleArguments(schema))
  expect(ajv.errors).toBeNull()
})
