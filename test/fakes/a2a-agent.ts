import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentCard, type Message, type Part, Role, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
  STATE_HEADERS_KEY,
} from '@a2a-js/sdk/server'
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express, { type NextFunction, type Request, type Response } from 'express'
import type { AgentCard as Card } from '../../src/domain/card.ts'
import type { JsonObject } from '../../src/domain/json.ts'

/** One turn of an agent: what was said to it, and what it may say. */
export type AgentTurn = {
  readonly text: string
  readonly authorization: string
  /** Answers without a task. */
  message(...parts: readonly (string | JsonObject)[]): void
  /** Begins the task, or changes its state. */
  task(state: keyof typeof TaskState, said?: string): void
  /** Makes an artifact, or adds to it. */
  artifact(id: string, parts: readonly (string | JsonObject)[], mode?: 'append'): void
  /** Resolves when the caller cancels the task. */
  readonly cancelled: Promise<void>
}

/** An agent on loopback behind the SDK's own server: 1.0 and 0.3, JSON-RPC and REST. */
export type A2aAgent = {
  readonly origin: string
  /** Our card of it. */
  card(options?: { readonly version?: string; readonly binding?: string; readonly streams?: boolean }): Card
  /** Requests that are still open. */
  leftovers(): Promise<readonly string[]>
  /** Tasks that nobody cancelled and that did not end. */
  unfinished(): readonly string[]
  readonly cancellations: readonly string[]
  /** Paths that were asked for. */
  readonly paths: readonly string[]
  close(): Promise<void>
}

/**
 * @param act - the agent's mind; what it throws becomes a failed task
 * @param intercept - sees each request before the protocol does
 */
export async function a2aAgent(
  act: (turn: AgentTurn) => void | Promise<void>,
  intercept: (request: Request, response: Response, next: NextFunction) => void = (_, __, next) => next(),
): Promise<A2aAgent> {
  const open = new Set<Response>()
  const working = new Map<string, () => void>()
  const cancellations: string[] = []
  const paths: string[] = []
  const app = express()
  app.use((request, response, next) => {
    paths.push(request.path)
    open.add(response)
    response.on('close', () => open.delete(response))
    next()
  })
  app.use(intercept)
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const requestHandler = new DefaultRequestHandler(published(origin), new InMemoryTaskStore(), {
    async execute(context, bus) {
      let cancel = () => {}
      const cancelled = new Promise<void>((resolve) => {
        cancel = resolve
      })
      working.set(context.taskId, cancel)
      const end = () => working.delete(context.taskId)
      await act(turnOf(context, bus, { cancelled, end }))
      end()
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      cancellations.push(taskId)
      working.get(taskId)?.()
      working.delete(taskId)
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined }
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }))
    },
  })
  const options = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  }
  app.use('/rpc', jsonRpcHandler(options))
  app.use('/rest', restHandler(options))
  return {
    origin,
    card: ({ version = '1.0', binding = 'JSONRPC', streams = false } = {}) => ({
      kind: 'agent',
      agentKind: 'a2a',
      id: 'test/agent',
      source: 'test',
      name: 'agent',
      description: 'An agent.',
      examples: [],
      tags: [],
      backbone: null,
      tools: [],
      policy: { capabilities: { streaming: streams } },
      runtime: {
        kind: 'a2a',
        url: `${origin}/${binding === 'JSONRPC' ? 'rpc' : 'rest'}`,
        binding,
        protocolVersion: version,
      },
      provenance: { reader: 'a2a-card', location: 'test' },
    }),
    async leftovers() {
      const left = () => [...open].map(({ req }) => req.path)
      for (let turn = 0; turn < 200 && left().length > 0; turn++) await wait(10) // a closed socket is heard of later
      return left()
    },
    unfinished: () => [...working.keys()],
    cancellations,
    paths,
    close: () =>
      new Promise((resolve) => {
        for (const cancel of working.values()) cancel()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const published = (origin: string): AgentCard => ({
  name: 'agent',
  description: 'An agent.',
  version: '1',
  provider: undefined,
  supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) => [
    { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' },
    { url: `${origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion, tenant: '' },
  ]),
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
})

function turnOf(
  context: RequestContext,
  bus: ExecutionEventBus,
  { cancelled, end }: { readonly cancelled: Promise<void>; readonly end: () => void },
): AgentTurn {
  const { taskId, contextId } = context
  const [first] = context.userMessage.parts
  let hasBegun = false
  const message = (parts: readonly (string | JsonObject)[], ofTask: string): Message => ({
    messageId: randomUUID(),
    contextId,
    taskId: ofTask,
    role: Role.ROLE_AGENT,
    parts: parts.map(partOf),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  })
  return {
    text: first?.content?.$case === 'text' ? first.content.value : '',
    authorization: authorizationOf(context),
    cancelled,
    message(...parts) {
      end()
      bus.publish(AgentEvent.message(message(parts, '')))
    },
    task(name, said) {
      if (name !== 'TASK_STATE_SUBMITTED' && name !== 'TASK_STATE_WORKING') end()
      const status = {
        state: TaskState[name] as TaskState,
        message: said === undefined ? undefined : message([said], taskId),
        timestamp: new Date().toISOString(),
      }
      bus.publish(
        hasBegun
          ? AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined })
          : AgentEvent.task({
              id: taskId,
              contextId,
              status,
              artifacts: [],
              history: [],
              metadata: undefined,
            }),
      )
      hasBegun = true
    },
    artifact(artifactId, parts, mode) {
      const artifact = {
        artifactId,
        name: artifactId,
        description: '',
        parts: parts.map(partOf),
        metadata: undefined,
        extensions: [],
      }
      const append = mode === 'append'
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact,
          append,
          lastChunk: false,
          metadata: undefined,
        }),
      )
    },
  }
}

const authorizationOf = ({ context }: RequestContext): string => {
  const headers = context.state.get(STATE_HEADERS_KEY) as Record<string, unknown> | undefined
  return String(headers?.authorization ?? '')
}

const partOf = (part: string | JsonObject): Part => ({
  content: typeof part === 'string' ? { $case: 'text', value: part } : { $case: 'data', value: part },
  metadata: undefined,
  filename: '',
  mediaType: typeof part === 'string' ? 'text/plain' : 'application/json',
})
