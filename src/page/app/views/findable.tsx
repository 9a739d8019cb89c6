import type { Api } from '../../../server/api/endpoints.ts'
import { call, type Failure } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Head, JobBar, Problem, Ready, Starting, Notice } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import type { ViewProps } from '../session.ts'
import { WhatWasFound } from './findability.tsx'

/** The source that is looked at, and what people ask, as it is typed. */
function useAsked(query: URLSearchParams) {
  const [source, choose] = useField(query.get('source') ?? '')
  const [text, type] = useField(query.get('requests') ?? '')
  return { source, choose, text, type }
}

type Asked = ReturnType<typeof useAsked>

/** Requests with the tool that each is for, and the numbers of lines that say no such thing. */
function requestsOf(text: string) {
  const lines = text.split('\n').map((line, at) => {
    const [request = '', tool = ''] = line.split('=>').map((part) => part.trim())
    return { number: at + 1, isBlank: line.trim() === '', request, tool }
  })
  const isWhole = ({ request, tool }: (typeof lines)[number]): boolean => request !== '' && tool !== ''
  return {
    requests: lines.filter(isWhole).map(({ request, tool }) => ({ request, tool })),
    leftOut: lines.filter((line) => !line.isBlank && !isWhole(line)).map(({ number }) => number),
  }
}

/** Whether hosts find the tools of a source, and which wording was measured to help. */
export function Findable({ place: { query }, session: { languageModel } }: ViewProps) {
  const loaded = useData('sources', {})
  const job = query.get('job')
  const asked = useAsked(query)
  const { source, text } = asked
  const { failure, isBusy, run } = useAction()
  const here = (next: { job?: string | undefined }) => to('findable', { source, requests: text, ...next })
  const start = (written?: number): void =>
    run(async () => {
      const { requests } = requestsOf(text)
      const given = requests.length > 0 ? { requests } : written === undefined ? {} : { written }
      const { id } = await call('findable', { source, ...given })
      go(here({ job: id }))
    })
  return (
    <>
      <Head
        title="Findable"
        lead="Where the tools of one of your servers stand among 200 others, by the search of each host, and which wording was measured to help."
      />
      <Running kind="findable" shown={job} />
      <Ready from={loaded}>
        {({ sources }) => (
          <RequestForm
            sources={sources}
            languageModel={languageModel}
            asked={asked}
            failure={failure}
            isBusy={isBusy}
            start={start}
            keep={() => go(here({ job: job ?? undefined }), 'replace')}
          />
        )}
      </Ready>
      <Starting isBusy={isBusy} />
      {job && !isBusy && <Measured id={job} />}
    </>
  )
}

type RequestFormProps = {
  sources: Api['sources']['output']['sources']
  languageModel: ViewProps['session']['languageModel']
  asked: Asked
  failure: Failure | undefined
  isBusy: boolean
  /** Measures; told how many requests the model is to write, with that many. */
  start: (written?: number) => void
  /** Keeps in the address what was typed. */
  keep: () => void
}

/** Which source, and what people ask. */
function RequestForm({ sources, languageModel, asked, failure, isBusy, start, keep }: RequestFormProps) {
  const { source, choose, text, type } = asked
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <label class="field">
        Source
        <select value={source} onInput={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">Choose one</option>
          {sources
            .filter(({ tools }) => tools > 0)
            .map(({ id, tools }) => (
              <option value={id}>{`${id} (${tools})`}</option>
            ))}
        </select>
      </label>
      <label class="field">
        What people ask, a line each: request {'=>'} tool. Two or more of a tool let other wordings be tried,
        five or more tell something. Empty: made of the tools’ own words, and nothing is suggested
        <textarea
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onChange={keep}
          placeholder="what is still open in the repo => list_issues"
        />
      </label>
      <LeftOut lines={requestsOf(text).leftOut} />
      <Problem failure={failure} />
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy || source === ''}>
          Measure
        </button>
        {languageModel === null ? (
          <span class="note">With AUDITION_LLM set, the model can write the requests.</span>
        ) : (
          <button type="button" class="button" disabled={isBusy || source === ''} onClick={() => start(5)}>
            Let the model write the requests
          </button>
        )}
      </div>
    </form>
  )
}

/** Which lines are not read, and what a line has to be. */
const LeftOut = ({ lines }: { lines: readonly number[] }) =>
  lines.length === 0 ? null : (
    <p class="note" role="status">
      Left out: {lines.length === 1 ? 'line' : 'lines'} {lines.join(', ')}. A line is a request, {'=>'} and
      the name of its tool.
    </p>
  )

function Measured({ id }: { id: string }) {
  const { job, steps, failure } = useJob('findable', id)
  const last = steps.at(-1)
  return (
    <>
      <Problem failure={failure} />
      {job?.state === 'running' && (
        <JobBar
          id={id}
          label={
            last === undefined
              ? 'Asking as each host does…'
              : last.done < last.total
                ? `${last.done} of ${last.total} asked`
                : 'Trying other wordings…'
          }
          value={last?.done ?? 0}
          max={last?.total ?? 1}
        />
      )}
      <Notice notice={job?.error} />
      {job?.result && <WhatWasFound {...job.result} />}
    </>
  )
}
