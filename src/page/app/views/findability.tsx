import { countOf } from '../../../domain/text/count-of.ts'
import type { Findability } from '../../../evaluation/findability/findability.ts'
import { perCent } from '../../../evaluation/report/numbers.ts'
import { Table } from '../../parts/table.tsx'
import { Chip, Code } from '../parts.tsx'

/** Where the tools stand, what would help, what was tried, and which tools are taken for others. */
export const WhatWasFound = ({ suggestions, attempts, confusions, ...found }: Findability) => (
  <>
    <ByHost {...found} />
    {suggestions.length > 0 && (
      <section>
        <h2>Wording that was measured to help</h2>
        {suggestions.map((one) => (
          <Suggestion suggestion={one} />
        ))}
      </section>
    )}
    {attempts.length > 0 && <Attempts attempts={attempts} />}
    {confusions.length > 0 && <Confusions confusions={confusions} />}
  </>
)

type ByHostProps = Pick<Findability, 'tools' | 'hosts' | 'notes' | 'requests' | 'among'>

const ByHost = ({ tools, hosts, notes, requests, among }: ByHostProps) => (
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
)

/** A wording that was measured to help, ready to copy. */
function Suggestion({ suggestion }: { suggestion: Findability['suggestions'][number] }) {
  const { tool, field, text, adds, drops, helps, before, after, requests } = suggestion
  return (
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
        Measured on {requests} requests for {helps} that it was not made of
        {adds.length > 0 && `. It adds: ${adds.join(', ')}`}
        {drops.length > 0 && `. It drops: ${drops.join(', ')}`}.
      </p>
      <Code text={text} label="Copy the wording" />
    </article>
  )
}

const Confusions = ({ confusions }: Pick<Findability, 'confusions'>) => (
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
)

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
