import { useEffect, useRef, useState } from 'preact/hooks'
import { call, type Failure } from '../api.ts'
import { failureOf } from '../data.ts'
import { Head, Problem } from '../parts.tsx'
import { to } from '../place.ts'
import type { ViewProps } from '../session.ts'
import { useTheme } from '../theme.tsx'

/**
 * The report of a kept run, in a frame apart from the page, whose scripts cannot ask in its name. The address says which; the place that the
 * frame shows is opened once, so each look gets another one.
 */
export function Report({ place: { query } }: ViewProps) {
  const [dataset, run] = [query.get('dataset') ?? '', query.get('run') ?? '']
  const [address, open] = useState<string>()
  const [failure, refuse] = useState<Failure>()
  useEffect(() => {
    open(undefined)
    refuse(undefined)
    call('report', { dataset, run }).then(
      (shown) => open(shown.address),
      (error) => refuse(failureOf(error)),
    )
  }, [dataset, run])
  return (
    <>
      <Head title="Report" lead={`${dataset}, ${run}`}>
        <a href={to('evaluations')}>All evaluations</a>
      </Head>
      <Problem failure={failure} />
      {address === undefined ? (
        failure === undefined && <p class="loading">Loading…</p>
      ) : (
        <Frame key={address} address={address} title={`Report of ${run}`} />
      )}
    </>
  )
}

/** The report, in the colours of the page: it reads them from its fragment, which can be changed from out here. */
function Frame({ address, title }: { address: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const theme = useTheme()
  const [first] = useState(theme)
  const shownTheme = useRef(theme)
  useEffect(() => {
    if (theme === shownTheme.current) return
    shownTheme.current = theme
    frame.current?.contentWindow?.location.replace(new URL(`${address}#${theme}`, location.href))
  }, [theme])
  return (
    <iframe
      ref={frame}
      name={address}
      class="report-frame"
      src={`${address}#${first}`}
      title={title}
      sandbox="allow-scripts allow-downloads"
    />
  )
}
