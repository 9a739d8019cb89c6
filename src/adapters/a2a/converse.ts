import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type Task,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { AgentFailure, type Answer, type BoundedRun } from '../../probing/run/bounded-execution.ts'
import type { JsonValue } from '../../domain/json.ts'

/** Milliseconds between two looks at a task: the first, the factor from one to the next, and the most. */
const pause = { first: 100, growth: 1.5, most: 2_000 }

/** How long an agent has to take note that its task is no longer wanted, in milliseconds. */
const farewellMs = 1_000

/**
 * Sends one message and follows what comes of it, by stream where the agent streams and by polling where not, until
 * there is an answer. A task that is left unfinished is cancelled.
 *
 * @throws AgentFailure when the task ends in another state than completed, or without an answer
 * @throws whatever the SDK throws for errors of the protocol, and the run's own reason when it is stopped
 */
export async function converse(
  client: Client,
  { text, streams }: { readonly text: string; readonly streams: boolean },
  run: BoundedRun,
): Promise<Answer> {
  const followed: Followed = { client, run, task: undefined, reported: TaskState.TASK_STATE_UNSPECIFIED }
  try {
    const reply = await (streams ? streamed(text, followed) : sent(text, followed))
    const answer = reply === undefined ? await completed(followed) : answerOf(reply.parts)
    if (answer.text === '' && answer.structured === undefined) throw new AgentFailure('it answered nothing')
    run.tell({ kind: 'message', text: answer.text })
    return answer
  } finally {
    await cancelled(followed)
  }
}

/** A conversation: the task as far as it is known, and the state that the transcript has last. */
type Followed = {
  readonly client: Client
  readonly run: BoundedRun
  task: Task | undefined
  reported: TaskState
}

const request = (text: string) => ({
  tenant: '',
  message: {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [
      {
        content: { $case: 'text', value: text } as const,
        metadata: undefined,
        filename: '',
        mediaType: 'text/plain',
      },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
})

/** The message that answers, or undefined when there is a task to follow. */
async function sent(text: string, followed: Followed): Promise<Message | undefined> {
  const { client, run } = followed
  const result = await client.sendMessage(request(text), { signal: run.signal })
  if ('messageId' in result) return result
  note(result, followed)
  return undefined
}

async function streamed(text: string, followed: Followed): Promise<Message | undefined> {
  const { client, run } = followed
  for await (const { payload } of client.sendMessageStream(request(text), { signal: run.signal })) {
    switch (payload?.$case) {
      case 'message':
        return payload.value
      case 'task':
        note(payload.value, followed)
        break
      case 'statusUpdate':
        note(withStatus(taskOf(payload.value, followed), payload.value.status), followed)
        break
      case 'artifactUpdate': {
        const { artifact, append } = payload.value
        const task = taskOf(payload.value, followed)
        if (artifact !== undefined) note(withArtifact(task, artifact, append), followed)
        break
      }
    }
    if (isSettled(followed.task)) return undefined
  }
  if (followed.task === undefined) throw new AgentFailure('its stream ended without an answer')
  return undefined // it may go on without us listening: polling tells
}

const taskOf = (event: { readonly taskId: string; readonly contextId: string }, { task }: Followed): Task =>
  task ?? {
    id: event.taskId,
    contextId: event.contextId,
    status: undefined,
    artifacts: [],
    history: [],
    metadata: undefined,
  }

const withStatus = (task: Task, status: TaskStatus | undefined): Task =>
  status === undefined ? task : { ...task, status }

function withArtifact(task: Task, artifact: Task['artifacts'][number], append: boolean): Task {
  const index = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId)
  const known = task.artifacts[index]
  if (known === undefined) return { ...task, artifacts: [...task.artifacts, artifact] }
  return { ...task, artifacts: task.artifacts.with(index, append ? appended(known, artifact) : artifact) }
}

/** Keeps what is known of the task, and tells of a new state and what was said with it. */
function note(task: Task, followed: Followed): void {
  const { run } = followed
  followed.task = task
  const state = stateOf(task)
  if (state === followed.reported) return
  followed.reported = state
  run.tell({ kind: 'status', text: `task ${stateName(state)}` })
  const said = messageText(task.status?.message)
  if (said !== '' && !isSettled(task)) run.tell({ kind: 'message', text: said })
}

async function completed(followed: Followed): Promise<Answer> {
  const { client, run } = followed
  let pauseMs = pause.first
  while (!isSettled(followed.task)) {
    await wait(pauseMs, undefined, { signal: run.signal })
    pauseMs = Math.min(pauseMs * pause.growth, pause.most)
    const id = followed.task?.id ?? ''
    note(await client.getTask({ tenant: '', id }, { signal: run.signal }), followed)
  }
  const task = followed.task!
  if (stateOf(task) === TaskState.TASK_STATE_COMPLETED) return answerOf(partsOfTask(task, Role.ROLE_AGENT))
  throw new AgentFailure(reasonOf(task))
}

function reasonOf(task: Task): string {
  const said = messageText(task.status?.message)
  const words = endings.get(stateOf(task)) ?? `its task ended as ${stateName(stateOf(task))}`
  return said === '' ? words : `${words}: ${said}`
}

const endings: ReadonlyMap<TaskState, string> = new Map([
  [TaskState.TASK_STATE_FAILED, 'it says that it failed'],
  [TaskState.TASK_STATE_CANCELED, 'it cancelled the task itself'],
  [TaskState.TASK_STATE_REJECTED, 'it rejected the task'],
  [TaskState.TASK_STATE_INPUT_REQUIRED, 'it asks back instead of answering'],
  [TaskState.TASK_STATE_AUTH_REQUIRED, 'it asks for an authorisation that a probe cannot give'],
])

const stateOf = (task: Task | undefined): TaskState => task?.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED

/** Nothing more comes by itself: the task is over, or waits for somebody. */
const isSettled = (task: Task | undefined): boolean =>
  stateOf(task) === TaskState.TASK_STATE_COMPLETED || endings.has(stateOf(task))

/** `input-required`. */
const stateName = (state: TaskState): string =>
  (TaskState[state] ?? String(state))
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')

/** Tells the agent that nobody waits any more. Whether it listens makes no difference to us. */
async function cancelled({ client, task }: Followed): Promise<void> {
  const waits = [TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED]
  if (task === undefined || task.id === '' || (isSettled(task) && !waits.includes(stateOf(task)))) return
  const signal = AbortSignal.timeout(farewellMs)
  await client.cancelTask({ tenant: '', id: task.id, metadata: undefined }, { signal }).catch(() => {})
}

/**
 * What an agent's parts say: texts as they are, data as JSON, files by their name and type.
 *
 * @returns `structured` is the data part, or the list of them when there are several
 */
function answerOf(parts: readonly Part[]): Answer {
  const texts = parts.map(textOf).filter((text) => text !== '')
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as JsonValue] : []))
  const structured = data.length > 1 ? data : data[0]
  return { text: texts.join('\n'), ...(structured === undefined ? {} : { structured }) }
}

/** The text of a message; empty when there is none. */
const messageText = (message: Message | undefined): string => answerOf(message?.parts ?? []).text

/** The parts that answer: artifacts, else what the last status said, else the agent's last message. */
function partsOfTask({ artifacts, status, history }: Task, agentRole: number): readonly Part[] {
  const made = artifacts.flatMap(({ parts }) => parts)
  if (made.length > 0) return made
  const said = status?.message?.parts ?? []
  if (said.length > 0) return said
  return history.findLast(({ role }) => role === agentRole)?.parts ?? []
}

/** An artifact with a further piece of it. Texts are joined without a break, as they were cut. */
function appended(artifact: Artifact, { parts }: Artifact): Artifact {
  const last = artifact.parts.at(-1)
  const [first, ...rest] = parts
  if (last?.content?.$case !== 'text' || first?.content?.$case !== 'text') {
    return { ...artifact, parts: [...artifact.parts, ...parts] }
  }
  const content = { $case: 'text', value: last.content.value + first.content.value } as const
  return { ...artifact, parts: [...artifact.parts.slice(0, -1), { ...last, content }, ...rest] }
}

function textOf({ content, filename, mediaType }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value
    case 'data':
      return content.value === undefined ? '' : JSON.stringify(content.value)
    case 'url':
      return `[file ${filename || 'without a name'}${mediaType === '' ? '' : `, ${mediaType}`}: ${content.value}]`
    case 'raw':
      return `[file ${filename || 'without a name'}${mediaType === '' ? '' : `, ${mediaType}`}]`
    case undefined:
      return ''
  }
}
