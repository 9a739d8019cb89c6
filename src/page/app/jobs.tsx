import { useEffect } from 'preact/hooks'
import type { ApiJobKind } from '../../server/api/job-results.ts'
import { useData } from './data.ts'
import { JobLink, StopJob } from './parts.tsx'

const againMs = 3_000

/** Jobs of the view that run and are not shown, as those that another tab started. */
export function Running({ kind, shown }: { kind: ApiJobKind; shown: string | null }) {
  const { value, failure, reload } = useData('jobs', {})
  const running = value?.jobs.filter((job) => job.kind === kind && job.state === 'running') ?? []
  useEffect(() => {
    if (running.length === 0) return
    const timer = setTimeout(reload, againMs)
    return () => clearTimeout(timer)
  }, [value, failure])
  const others = running.filter(({ id }) => id !== shown)
  if (others.length === 0) return null
  return (
    <section class="panel" aria-label="Running now">
      {others.map(({ id, subject }) => (
        <div class="line" key={id}>
          <span class="grow" dir="auto">
            Running now: {subject}
          </span>
          <JobLink id={id} />
          <StopJob id={id} />
        </div>
      ))}
    </section>
  )
}
