import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { leftOver } from '../../bench/misbehaving/left-over.ts'
import { runSubjects, type SubjectRun } from '../../bench/misbehaving/run-subjects.ts'
import { subjects } from '../../bench/misbehaving/subjects.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const programs = fileURLToPath(new URL('../../bench/misbehaving/programs', import.meta.url))
const onLinux = process.platform === 'linux'

describe.runIf(onLinux)('misbehaving agents', () => {
  test.each(['command', 'mcp-stdio', 'mcp-http'] as const)(
    'of every kind (%s) end as they must and leave nothing behind',
    async (sort) => {
      const chosen = subjects.filter((subject) => subject.sort === sort)
      const told: SubjectRun[] = []
      const reports = await runSubjects({
        subjects: chosen,
        runs: chosen.length,
        concurrency: 4,
        folder: temporaryFolder(),
        programs,
        onRun: async (run) => void told.push(run),
      })
      expect(reports.map(({ subject, endings }) => [subject.name, endings])).toEqual(
        chosen.map(({ name, ending }) => [name, { [ending]: 1 }]),
      )
      expect(reports.flatMap(({ thrown, leaked }) => [...thrown, ...leaked])).toEqual([])
      expect(new Set(told.map(({ subject }) => subject))).toEqual(new Set(chosen))
    },
    30_000,
  )

  test('would be found if they stayed', async () => {
    const mark = `mark-left-over-${process.pid}`
    const child = spawn(process.execPath, [`${programs}/agent.mjs`, 'stay', mark], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'spawn')
    expect(leftOver(mark)).toEqual([expect.stringContaining(`${child.pid} `)])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(leftOver(mark)).toEqual([])
  })
})
