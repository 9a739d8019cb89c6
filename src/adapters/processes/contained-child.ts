import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Containment } from './containment.ts'
import { killMarked, limitMark, markerVariable, newMarker, watchUsage } from './usage-watch.ts'
import { type Patience, spawnInGroup, type StdioLaunch, stopGroup, type Urgency } from './process-group.ts'

/** A program of somebody else's, held in bounds. */
export type ContainedChild = {
  readonly process: ChildProcessWithoutNullStreams
  /** Ends it and all that it started, wherever that went; resolves when they are gone. */
  stop(urgency: Urgency, patience?: Patience): Promise<void>
}

/** How a program is started and what is told of it. */
type ContainedStart = {
  readonly containment: Containment
  /** What the user allowed, by which its opening is found. */
  readonly permit: string
  /** A folder that is its alone, whose size is watched. */
  readonly scratch?: string
  /** It used more than it may: whoever started it stops it, at once. */
  readonly onExceeded: (why: string) => void
}

/**
 * Starts a program in a group of its own, in the sandbox and under the limits of the containment, and watches what it uses.
 *
 * @throws SandboxError when the sandbox cannot be used: nothing is started then
 */
export async function startContained(
  launch: StdioLaunch,
  { containment, permit, scratch, onExceeded }: ContainedStart,
): Promise<ContainedChild> {
  const { sandbox, limits } = containment
  const fault = await sandbox.fault()
  if (fault !== null) throw fault
  const marker = newMarker()
  const env = { ...launch.env, [markerVariable]: marker }
  const enclosed = sandbox.enclose({
    launch: { ...launch, env },
    opening: containment.opening(permit),
    ...{ limits, mark: limitMark(marker) },
  })
  const child = spawnInGroup(enclosed.start)
  const unwatch =
    child.pid === undefined
      ? () => {}
      : watchUsage(
          {
            ...{ group: child.pid, marker, limits },
            ...(scratch === undefined ? {} : { scratch }),
          },
          onExceeded,
        )
  return {
    process: child,
    async stop(urgency, patience) {
      unwatch()
      await Promise.all([stopGroup(child, urgency, patience), enclosed.end?.()])
      await killMarked(marker)
    },
  }
}
