import type { QueryFacts } from '../../evaluation/report/packed-queries.ts'
import { Choice } from '../parts/choice.tsx'
import type { Wanted } from './filter.ts'
import { matches } from './query-dialog.tsx'

type Options = readonly (readonly [value: string, shows: string])[]

const numbered = (names: readonly string[]): Options => [
  ['', 'all'],
  ...names.map((name, at) => [String(at), name] as const),
]

/** Choices by what they filter; those without options are not offered. */
function choicesOf(
  facts: QueryFacts,
  headline: string,
): readonly (readonly [keyof Wanted, string, Options])[] {
  const { parts, groups, hasBaseline, full, queries } = facts
  const changes = ['worse', 'better', 'same'].map(
    (name) => [name, name === 'same' ? 'the same' : name] as const,
  )
  return [
    ['part', 'Part', numbered(parts)],
    ['group', 'Group', groups.length === 0 ? [] : numbered(groups)],
    ['match', 'Answer said', [['', 'anything'], ...Object.entries(matches)]],
    ['change', 'Against baseline', hasBaseline ? [['', 'anything'], ...changes] : []],
    [
      'reasons',
      'Reasons',
      full === 0 || full === queries
        ? []
        : [
            ['', 'kept or not'],
            ['kept', 'kept here'],
          ],
    ],
    [
      'order',
      'Order',
      [
        ['run', 'as in the run'],
        ['low', `${headline}, lowest first`],
        ['high', `${headline}, highest first`],
        ...(hasBaseline
          ? ([
              ['loss', 'largest loss first'],
              ['win', 'largest win first'],
            ] as const)
          : []),
      ],
    ],
  ]
}

/** What narrows the list of queries. */
export function Filters({
  facts,
  headline,
  wanted,
  want,
}: {
  readonly facts: QueryFacts
  readonly headline: string
  readonly wanted: Wanted
  want(wanted: Wanted): void
}) {
  return (
    <search class="filters">
      <label class="choice wide">
        Search{' '}
        <input
          type="search"
          name="text"
          placeholder="words of the query, or its id"
          autocomplete="off"
          value={wanted.text}
          onInput={({ currentTarget }) => want({ ...wanted, text: currentTarget.value })}
        />
      </label>
      {choicesOf(facts, headline)
        .filter(([, , options]) => options.length > 0)
        .map(([name, title, options]) => (
          <Choice
            title={title}
            name={name}
            value={wanted[name]}
            options={options}
            choose={(value) => want({ ...wanted, [name]: value })}
          />
        ))}
    </search>
  )
}
