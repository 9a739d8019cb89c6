import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAction, useData, useDone } from '../data.ts'
import { Empty, Head, Problem, Ready } from '../parts.tsx'
import { inWords, matchesInWords, PermitText } from '../permit-lines.tsx'
import { Wanted } from './audition.tsx'

/** What may start: to read, to add to and to take from. */
export function Permits() {
  const loaded = useData('permits', {})
  const covered = useData('covered', {}).value
  const { failure, isBusy, run } = useAction()
  const { said, from } = useDone()
  const withdraw = (permit: string, at: Element): void => {
    const done = from(at)
    run(async () => {
      await call('withdraw', { permit })
      done(`Withdrawn: ${permit}`)
    })
  }
  return (
    <>
      <Head
        title="Permits"
        lead="What auditions and calls may start on this machine. Nothing else is started, and AI hosts cannot change the list."
      />
      <p class="note" role="status">
        {said}
      </p>
      <Problem failure={failure} />
      <Ready from={loaded}>
        {({ permits, file, within, fault }) => (
          <>
            {permits.length === 0 ? (
              <Empty title="Nothing may start">
                <p>Allow an agent or a tool below, or where you audition it.</p>
              </Empty>
            ) : (
              <ul class="plain permits list">
                {permits.map((one) => (
                  <li key={one.permit} data-item tabIndex={-1}>
                    <div>
                      <PermitText permit={one} />
                      <p class="note">{covered && matchesInWords(one.permit, covered)}</p>
                    </div>
                    <button
                      type="button"
                      class="button"
                      disabled={isBusy}
                      onClick={({ currentTarget }) => withdraw(one.permit, currentTarget)}
                    >
                      Withdraw<span class="unseen"> {one.permit}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <Adding />
            <p class="note">
              Programs that are started are held by: {within}. {fault && `${fault.message} ${fault.remedy}`}{' '}
              The list is in <code>{file}</code>.
            </p>
          </>
        )}
      </Ready>
    </>
  )
}

function Adding() {
  const [text, type] = useState('')
  const [asked, ask] = useState<string>()
  const { failure, isBusy, run } = useAction()
  const plan = useData('plan', asked === undefined ? null : { cards: [asked] })
  const { said, from } = useDone()
  const isPermit = /^[a-z\d]+:/.test(text) || text === 'bundled'
  return (
    <section class="panel">
      <h2>Allow something</h2>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          if (isPermit)
            run(async () => {
              await call('allow', { permit: text.trim() })
              type('')
            })
          else ask(text.trim())
        }}
      >
        <label class="grow">
          Id of an agent or tool; or an origin such as a2a:https://agents.example; or bundled
          <input value={text} onInput={({ currentTarget }) => type(currentTarget.value)} />
        </label>
        <button type="submit" class="button" disabled={isBusy || text.trim() === ''}>
          {isPermit ? 'Allow it' : 'Show what it would start'}
        </button>
      </form>
      {text.endsWith('*') && isPermit && <p>{inWords(text.trim())}.</p>}
      <Problem failure={failure} />
      <p class="unseen" role="status">
        {said}
      </p>
      {asked !== undefined && (
        <Ready from={plan}>
          {({ plans }) =>
            plans.map((one) =>
              one.notRun === null ? (
                <p>{one.card} may start already.</p>
              ) : (
                <Wanted key={one.card} plan={one} from={from} />
              ),
            )
          }
        </Ready>
      )}
    </section>
  )
}
