import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { ToolCard } from '../../src/domain/card.ts'
import { createSimulatedServer } from '../../src/server/simulated.ts'
import { type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import type { SimulationParts } from '../../src/simulating/simulated-server.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { failureOf, urlEntry } from '../adapters/mcp-client/servers.ts'
import { answersFile, notes, playNotes, scriptedImitator, simulationOver } from '../simulating/simulation.ts'
import { testClient } from './connect.ts'

const kept = answersFile()
afterAll(() => kept.remove())
const servings: HttpServing[] = []
afterEach(() => Promise.all(servings.splice(0).map((serving) => serving.close())))

const many = Array.from({ length: 230 }, (_, at) => toolCard(`notes/tool_${at}`)) as unknown as ToolCard[]
const defaults = { imitator: scriptedImitator(playNotes) }

/** A client of the official SDK, connected in memory or over HTTP. */
const connections = {
  async memory(parts: Partial<SimulationParts>) {
    const simulated = await simulationOver(kept.file, { ...defaults, ...parts })
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    await createSimulatedServer(simulated, simulated.session()).connect(serverSide)
    const client = testClient()
    await client.connect(clientSide)
    return client
  },
  async http(parts: Partial<SimulationParts>) {
    const simulated = await simulationOver(kept.file, { ...defaults, ...parts })
    const session = simulated.session()
    const serving = await serveHttp(scriptedAudition({}), {
      port: 0,
      server: (cancelled) => createSimulatedServer(simulated, session, cancelled),
    })
    servings.push(serving)
    const client = testClient()
    await client.connect(new StreamableHTTPClientTransport(new URL(serving.url)))
    return client
  },
}

describe.each(['memory', 'http'] as const)('over %s, to a client of the official SDK', (way) => {
  const connect = connections[way]

  test('it says whom it stands for, and that it is simulated', async () => {
    const client = await connect({})
    expect(client.getServerVersion()).toMatchObject({ name: 'notes', title: 'notes (simulated)' })
    expect(client.getInstructions()).toContain('simulated')
    await client.close()
  })

  test('it says that calls are real where they are recorded', async () => {
    const client = await connect({ mode: 'record' })
    expect(client.getServerVersion()?.title).toBe('notes (real, recorded)')
    expect(client.getInstructions()).toMatch(/real and have their effects.*records/)
    await client.close()
  })

  test('it lists the tools as they were indexed, page by page', async () => {
    const client = await connect({ tools: [...notes, ...many] })
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(notes.length + many.length)
    const [create] = tools
    const { name, description, inputSchema, outputSchema } = notes[0]!
    expect(create).toMatchObject({ name, description, inputSchema, outputSchema })
    expect(create?.annotations).toEqual({ readOnlyHint: false, destructiveHint: false })
    const first = await client.listTools({ cursor: '100' })
    expect(first.tools[0]?.name).toBe(tools[100]?.name)
    await expect(client.listTools({ cursor: 'x' })).rejects.toThrow(/cursor/)
    await client.close()
  })

  test('calls give structured content that the client validates, a text, and whence it is', async () => {
    const client = await connect({})
    await client.listTools()
    await client.callTool({ name: 'create_note', arguments: { title: 'milk' } })
    const listed = await client.callTool({ name: 'list_notes', arguments: {} })
    expect(listed.structuredContent).toEqual({ notes: [{ id: 'n1', title: 'milk' }], count: 1 })
    expect(listed.content).toEqual([{ type: 'text', text: JSON.stringify(listed.structuredContent) }])
    expect(listed._meta).toMatchObject({ 'audition/simulated': { from: 'model', model: 'scripted:notes' } })
    await client.close()
  })

  test('wrong arguments are a result that failed, an unknown tool is an error of the protocol', async () => {
    const client = await connect({})
    const wrong = await client.callTool({ name: 'create_note', arguments: { name: 'milk' } })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('title') }] })
    await expect(client.callTool({ name: 'burn_note', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    })
    await client.close()
  })

  test('a call can be cancelled, and the server goes on', async () => {
    const client = await connect({ faults: { latency: 30_000 } })
    const stop = new AbortController()
    const call = client.callTool({ name: 'list_notes', arguments: {} }, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(call).rejects.toThrow()
    expect((await client.listTools()).tools).toHaveLength(notes.length)
    await client.close()
  })

  test('progress is told to who asks for it', async () => {
    const client = await connect({})
    const steps: number[] = []
    await client.callTool(
      { name: 'list_notes', arguments: {} },
      { onprogress: ({ progress }) => void steps.push(progress) },
    )
    expect(steps[0]).toBe(0) // clients drop what comes together with the answer
    await client.close()
  })

  test('it answers a ping', async () => {
    const client = await connect({})
    expect(await client.ping()).toEqual({})
    await client.close()
  })
})

test('over HTTP there is no page of Audition beside it', async () => {
  const client = await connections.http({})
  const { url } = servings[0]!
  for (const path of ['/', '/api/v1/counts']) expect((await fetch(new URL(path, url))).status, path).toBe(404)
  await client.close()
})

test('it is not indexed or called as if it were the real server', async () => {
  const client = await connections.http({})
  const failure = await failureOf(urlEntry(servings[0]!.url))
  expect(failure.message).toContain('is a simulated one')
  expect(failure.remedy).toContain('audition probe --simulate')
  await client.close()
})
