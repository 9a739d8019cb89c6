import { countOf } from '../../../domain/text/count-of.ts'
import type { Findability } from '../../../evaluation/findability/findability.ts'
import { perCent } from '../../../evaluation/report/numbers.ts'
import { Table } from '../../parts/table.tsx'
import { call } from '../api.ts'
import { useAction, useData, useJob } from '../data.ts'
import { Running } from '../jobs.tsx'
import { Chip, Code, Head, JobBar, Problem, Ready, Starting, Notice } from '../parts.tsx'
import { go, to, useField } from '../place.ts'
import type { ViewProps } from '../session.ts'

/** Whether hosts find the tools of a source, and which wording was measured to help. */
export function Findable({ place: { query }, session: { languageModel } }: ViewProps) {
  const loaded = useData('sources', {})
  const job = query.get('job')
  const [source, choose] = useField(query.get('source') ?? '')
  const [text, type] = useField(query.get('requests') ?? '')
  const { failure, isBusy, run } = useAction()
  const here = (next: { job?: string | undefined }) => to('findable', { source, requests: text, ...next })
  const start = (written?: number): void =>
    run(async () => {
      const requests = text.split('\n').flatMap((line) => {
        const [request = '', tool = ''] = line.split('=>').map((part) => part.trim())
        return request === '' || tool === '' ? [] : [{ request, tool }]
      })
      const asked = requests.length > 0 ? { requests } : written === undefined ? {} : { written }
      const { id } = await call('findable', { source, ...asked })
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
              What people ask, a line each: request {'=>'} tool. Two or more of a tool let other wordings be
              tried, five or more tell something. Empty: made of the tools’ own words, and nothing is
              suggested
              <textarea
                value={text}
                onInput={({ currentTarget }) => type(currentTarget.value)}
                onChange={() => go(here({ job: job ?? undefined }), 'replace')}
                placeholder="what is still open in the repo => list_issues"
              />
            </label>
            <Problem failure={failure} />
            <div class="actions">
              <button type="submit" class="button primary" disabled={isBusy || source === ''}>
                Measure
              </button>
              {languageModel === null ? (
                <span class="note">With AUDITION_LLM set, the model can write the requests.</span>
              ) : (
                <button
                  type="button"
                  class="button"
                  disabled={isBusy || source === ''}
                  onClick={() => start(5)}
                >
                  Let the model write the requests
                </button>
              )}
            </div>
          </form>
        )}
      </Ready>
      <Starting isBusy={isBusy} />
      {job && !isBusy && <Measured id={job} />}
    </>
  )
}

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
      {job?.result && <Result result={job.result} />}
    </>
  )
}

function Result({
  result: { tools, hosts, suggestions, attempts, confusions, notes, requests, among },
}: {
  result: Findability
}) {
  return (
    <>
      <section>
        <h2>Found among the first five</h2>
        <p class="note">
          {countOf(requests.count, 'request')}, {countOf(among, 'tool')} of others. {notes.join(' ')}
        </p>
        <Table
          caption="Share of requests for which each tool is among the first five, by host"
          rows={tools}
          columns={[
            { title: 'Tool', key: ({ tool }) => tool, shows: ({ tool }) => <code>{tool}</code> },
            ...hosts.map(({ name, title }) => ({
              title,
              number: true,
              key: (row: (typeof tools)[number]) => row.hosts[name]?.hit5 ?? -1,
              shows: ({ hosts: by }: (typeof tools)[number]) =>
                by[name] === undefined ? 'not asked' : `${perCent(by[name].hit5)}%`,
            })),
          ]}
        />
      </section>
      {suggestions.length > 0 && (
        <section>
          <h2>Wording that was measured to help</h2>
          {suggestions.map(({ tool, field, text, adds, drops, helps, before, after, requests: held }) => (
            <article class="panel">
              <h3>
                {tool}: another {field === 'description' ? 'description' : 'search hint'}
              </h3>
              <p class="chips">
                <Chip tone={after.hit5 > before.hit5 ? 'good' : 'plain'}>
                  {`among the first five ${perCent(before.hit5)}% → ${perCent(after.hit5)}%`}
                </Chip>
                <Chip tone={after.mrr > before.mrr ? 'good' : 'plain'}>
                  {`reciprocal rank ${before.mrr.toFixed(2)} → ${after.mrr.toFixed(2)}`}
                </Chip>
              </p>
              <p class="note">
                Measured on {held} requests for {helps} that it was not made of
                {adds.length > 0 && `. It adds: ${adds.join(', ')}`}
                {drops.length > 0 && `. It drops: ${drops.join(', ')}`}.
              </p>
              <Code text={text} label="Copy the wording" />
            </article>
          ))}
        </section>
      )}
      {attempts.length > 0 && <Attempts attempts={attempts} />}
      {confusions.length > 0 && (
        <section>
          <h2>Confused</h2>
          <ul>
            {confusions.map(({ tool, rival, words, requests: of }) => (
              <li>
                <code>{tool}</code> stands behind <code>{rival}</code> for “{of[0]}”
                {words.length > 0 && `, by: ${words.join(', ')}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

type Attempt = Findability['attempts'][number]

const outcomes: { readonly [outcome in Attempt['outcome']]: string } = {
  'not asked for': 'nothing: no request is for it',
  'too few requests': 'nothing: one request more is needed to measure on',
  'found first': 'nothing: it is first already for what is learnt from',
  'others are worse': 'nothing: only the ten worst are looked at',
  'no words': 'nothing: it lacks no word that two requests share, or that another tool has',
  'no gain': 'no gain on the other requests, or others lose as much',
  helped: 'better on the other requests',
}

/** Of each tool which wording was tried, and what came of it: a suggestion is rare, and this says why. */
const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <section>
    <h2>What was tried</h2>
    <p class="note">
      Of each tool every second request is learnt from: the words that it lacks. The others, which the wording
      was not made of, say whether it helps.
    </p>
    <Table
      caption="Wordings that were tried, by tool"
      rows={attempts}
      columns={[
        { title: 'Tool', key: ({ tool }) => tool, shows: ({ tool }) => <code>{tool}</code> },
        {
          title: 'Tried',
          key: ({ best }) => (best === undefined ? '' : changeOf(best)),
          shows: ({ best }) => (best === undefined ? '–' : changeOf(best)),
        },
        {
          title: 'Reciprocal rank',
          number: true,
          key: ({ best }) => (best === undefined ? -1 : best.after.mrr - best.before.mrr),
          shows: ({ best }) =>
            best === undefined ? '–' : `${best.before.mrr.toFixed(2)} → ${best.after.mrr.toFixed(2)}`,
        },
        { title: 'Came of it', key: ({ outcome }) => outcomes[outcome] },
      ]}
    />
  </section>
)

const changeOf = ({ field, adds, drops, tool, helps }: NonNullable<Attempt['best']>): string =>
  [
    adds.length > 0
      ? `${field === 'description' ? 'description' : 'search hint'} with ${adds.join(', ')}`
      : '',
    drops.length > 0 ? `${tool === helps ? 'description' : tool} without ${drops.join(', ')}` : '',
  ].join('')
