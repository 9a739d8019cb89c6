import type { Finding } from '../../evaluation/self/findings.ts'
import { counted } from '../../evaluation/report/numbers.ts'
import type { FindingGroup } from '../../evaluation/report/report-facts.ts'
import { ids, Section } from './show.tsx'

/** Findings of a kind that stand open, and other cards named of one. */
const open = 10
const namedOthers = 5

function Row({ finding: { card, message, others } }: { finding: Finding }) {
  const unnamed = others.filter((other) => !message.includes(other))
  const more = unnamed.length - namedOthers
  return (
    <li>
      <code dir="auto">{card}</code> <span dir="auto">{message}</span>{' '}
      {unnamed.length > 0 && <small>see {ids(unnamed.slice(0, namedOthers))}</small>}
      {more > 0 && <small>and {counted(more)} more</small>}
    </li>
  )
}

const List = ({ findings }: Pick<FindingGroup, 'findings'>) => (
  <ul>
    {findings.map((finding) => (
      <Row finding={finding} />
    ))}
  </ul>
)

/** A text whose commands stand between backticks. */
const withCommands = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))

const Group = ({ title, remedy, count, findings }: FindingGroup) => (
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
        {count > findings.length && (
          <p class="note">
            {counted(count - findings.length)} more are not in this page:{' '}
            <code>audition evaluate --self --json</code> lists them all.
          </p>
        )}
      </details>
    )}
  </>
)

/** What keeps cards of the user's index from being found, by kind and fix, worst first. */
export const Findings = ({ groups }: { groups: readonly FindingGroup[] }) => (
  <Section id="findings" title="Findings">
    <p>
      {groups.length === 0
        ? 'Nothing keeps a card from being found.'
        : 'What keeps cards of your index from being found, worst first, and what to do about it.'}
    </p>
    {groups.map((group) => (
      <Group {...group} />
    ))}
  </Section>
)
