import { withRemedy } from '../../../domain/remedy-error.ts'
import type { IndexReport } from '../../../indexing/index-report.ts'
import { BundledOff } from '../bundled-off.tsx'
import { indexOutcome, problemsOf } from '../index-words.ts'
import { counted } from '../parts.tsx'
import { to } from '../place.ts'

/** What an index run did: what it read, what went wrong, and what to do next. */
export function Report({ report }: { report: IndexReport }) {
  const { sources, tools, agents, ofOtherProjects = 0, bundledCardsLeft } = report
  const failed = sources.filter((one) => one.failure !== undefined)
  const left = sources.filter((one) => one.notAsked !== undefined && one.notAsked !== 'unchanged')
  const wrong = problemsOf(report)
  const { isRead, title, detail } = indexOutcome(report)
  return (
    <div role="status" class="report">
      <h2 class={isRead ? undefined : 'bad'}>{title}</h2>
      <p>
        {detail} In search now: {counted(tools, 'tool')} and {counted(agents, 'agent')}.
      </p>
      {bundledCardsLeft !== undefined && <BundledOff standing="off" cards={bundledCardsLeft} />}
      {failed.length > 0 && <Failed failed={failed} />}
      {left.length > 0 && <NotStarted left={left} />}
      {ofOtherProjects > 0 && (
        <p class="note">
          {counted(ofOtherProjects, 'server')} of other projects: start the page there to index them.
        </p>
      )}
      {wrong.length > 0 && <Wrong wrong={wrong} isNothing={!isRead} />}
      <p>
        {isRead ? (
          <a class="button primary" href={to('find')}>
            Find something
          </a>
        ) : (
          <a class="button" href={to('catalog', { index: 'yes' })}>
            Look somewhere else
          </a>
        )}
      </p>
    </div>
  )
}

/** Sources that could not be read, and what they printed. */
const Failed = ({ failed }: { failed: IndexReport['sources'] }) => (
  <>
    <h3>{counted(failed.length, 'source')} failed</h3>
    <ul class="plain failures">
      {failed.map(({ source, failure }) => (
        <li>
          <strong>{source}</strong>: {failure && withRemedy(failure.message, failure.remedy)}
          {failure?.output && (
            <details>
              <summary>What it printed</summary>
              <pre>{failure.output}</pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  </>
)

const reasons = {
  unwanted: 'it was not to be started',
  'not agreed': 'you did not agree to start it',
  'launch changed': 'its launch changed since you agreed',
  declined: 'you left it out',
  'other project': 'it belongs to another project',
  unchanged: 'it answered a short while ago',
  'failed before': 'it failed a short while ago',
} as const

/** Servers that were not asked, and why. */
const NotStarted = ({ left }: { left: IndexReport['sources'] }) => (
  <>
    <h3>Not started</h3>
    <ul>
      {left.map(({ source, notAsked }) => (
        <li>
          {source}: {reasons[notAsked!]}
        </li>
      ))}
    </ul>
  </>
)

type WrongProps = { wrong: IndexReport['problems']; isNothing: boolean }

/** What could not be read, and what was taken with a repair. */
const Wrong = ({ wrong, isNothing }: WrongProps) => (
  <details open={isNothing || wrong.some(({ severity }) => severity === 'error')}>
    <summary>
      {counted(wrong.length, 'problem')}
      {!isNothing && ' in what was read'}
    </summary>
    <ul>
      {wrong.slice(0, 50).map(({ file, message, remedy }) => (
        <li>
          <code>{file}</code>: {withRemedy(message, remedy)}
        </li>
      ))}
    </ul>
  </details>
)
