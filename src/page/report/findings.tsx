import type { Finding } from '../../evaluation/self/findings.ts'
import { counted } from '../../evaluation/report/numbers.ts'
import type { FindingGroup } from '../../evaluation/report/report-facts.ts'
import { ids, Section } from './show.tsx'

/** Findings of a kind that stand open, and other cards named of one. */
const open = 10
const namedOthers = 5

function List({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map(({ card, message, others }) => {
        const unnamed = others.filter((other) => !message.includes(other))
        const more = unnamed.length - namedOthers
        return (
          <li>
            <code dir="auto">{card}</code> <span dir="auto">{message}</span>{' '}
            {unnamed.length > 0 && (
              <small>
                see {ids(unnamed.slice(0, namedOthers))}
                {more > 0 && `and ${counted(more)} more`}
              </small>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** A text whose commands stand between backticks. */
const withCommands = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))

function Group({ group: { title, remedy, count, findings } }: { readonly group: FindingGroup }) {
  const left = count - findings.length
  return (
    <>
      <h3>
        {title} <small>{counted(count)}</small>
      </h3>
      <p>
        <strong>Fix:</strong> {withCommands(remedy)}
      </p>
      <List findings={findings.slice(0, open)} />
      {findings.length > open && (
        <details>
          <summary>{counted(count - open)} more</summary>
          <List findings={findings.slice(open)} />
          {left > 0 && (
            <p class="note">
              {counted(left)} more are not in this page: <code>audition evaluate --self --json</code> lists
              them all.
            </p>
          )}
        </details>
      )}
    </>
  )
}

/** What keeps cards of the user's index from being found, by kind and fix, worst first. */
export function Findings({ groups }: { readonly groups: readonly FindingGroup[] }) {
  return (
    <Section id="findings" title="Findings">
      <p>
        {groups.length === 0
          ? 'Nothing keeps a card from being found.'
          : 'What keeps cards of your index from being found, worst first, and what to do about it.'}
      </p>
      {groups.map((group) => (
        <Group group={group} />
      ))}
    </Section>
  )
}
