import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Card } from '../../../src/domain/card.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { notesServer, type ServerSays } from './notes-server.ts'
import { realStage } from './real-stage.ts'

/** What became of decisions whose process was killed. */
export type KilledDecisions = {
  readonly trials: number
  /** Said to be done before the kill. */
  readonly acknowledged: number
  /** Killed before it was said; of these, done all the same. */
  readonly done: number
  readonly faults: readonly string[]
}

/**
 * Changes the server, lets a process of its own accept that, kills it at an instant, and indexes again. What was said to
 * be accepted must be in search, and what was not is either held or in search, never half of it.
 *
 * @param scripts - the compiled `changing-server.ts` and `decider.ts`
 * @param instants - when to kill, as shares of the time that a decision takes which is let be; one trial each
 */
export async function killDecisions(
  folder: string,
  scripts: { readonly server: string; readonly decider: string },
  instants: readonly number[],
): Promise<KilledDecisions> {
  const stage = await realStage(join(folder, 'killed'), scripts.server, 'stdio')
  const faults: string[] = []
  let acknowledged = 0
  let done = 0
  try {
    await stage.say(saying(0))
    await stage.index()
    await stage.say(saying(1))
    await stage.index()
    const started = performance.now()
    if (!(await killedAccept(scripts.decider, stage.home, 60_000))) throw new Error('nothing can be accepted')
    const usualMs = performance.now() - started
    let taken = saying(1)
    for (const [trial, instant] of instants.entries()) {
      const delay = Math.round(instant * usualMs)
      const next = saying(trial + 2)
      await stage.say(next)
      await stage.index()
      const wasSaid = await killedAccept(scripts.decider, stage.home, delay)
      // The next run, which also clears away what the killed one left, must not undo the decision.
      await stage.index()
      const cards = await stage.cards()
      const held = (await stage.review())?.held ?? []
      const isTaken = says(cards, next)
      const isKept = says(cards, taken)
      const fault =
        wasSaid && !isTaken
          ? 'an acknowledged decision is lost'
          : isTaken === isKept
            ? 'half a decision is in search'
            : isTaken !== (held.length === 0)
              ? 'what is held and what is in search disagree'
              : ''
      if (fault !== '') faults.push(`killed after ${delay} ms: ${fault}`)
      if (wasSaid) acknowledged += 1
      else if (isTaken) done += 1
      if (isTaken) taken = next
    }
  } finally {
    await stage.close()
  }
  return { trials: instants.length, acknowledged, done, faults }
}

/** All tools with another description each. */
const saying = (turn: number): ServerSays => ({
  ...notesServer,
  tools: notesServer.tools.map((tool) => ({ ...tool, description: `${tool.description} Turn ${turn}.` })),
})

const says = (cards: readonly Card[], server: ServerSays): boolean =>
  server.tools.every(({ name, description }) =>
    cards.some(
      (card) => card.kind === 'tool' && card.name === name && card.description === description.trim(),
    ),
  )

/** The model that the stage has too, wherever the script lies. */
const builtInModel = `static:${join(packageRoot, 'embeddings', 'audition-1')}`

async function killedAccept(script: string, home: string, delayMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [script, home, 'notes', builtInModel], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString('utf8')
  })
  const ended = once(child, 'close')
  while (!said.includes('begins') && child.exitCode === null) await setTimeout(5)
  await Promise.race([setTimeout(delayMs), ended])
  child.kill('SIGKILL')
  await ended
  return said.includes('accepted')
}
