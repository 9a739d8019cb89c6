import { withRemedy } from '../../../domain/remedy-error.ts'
import { useContext, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useAction, useData, useDone } from '../data.ts'
import { Empty, Head, Problem, Ready } from '../parts.tsx'
import { matchesInWords, PermitText } from '../permit-lines.tsx'
import { inWords } from '../permit-words.ts'
import { PermitWords } from '../session.ts'
import { Wanted } from './allowing.tsx'

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
              Programs that are started are held by: {within}.{' '}
              {fault && withRemedy(fault.message, fault.remedy)} The list is in <code>{file}</code>.
            </p>
          </>
        )}
      </Ready>
    </>
  )
}

/** What is typed is shown in words first, and allowed after that. */
function useAdding() {
  const [text, type] = useState('')
  const [asked, ask] = useState('')
  const { failure, isBusy, run, clear } = useAction()
  const { said, from, clear: hush } = useDone()
  const wanted = text.trim()
  const isPermit = /^[a-z\d]+:/.test(wanted) || wanted === 'bundled'
  const isShown = wanted !== '' && asked === wanted
  const show = (): void =>
    run(async () => {
      hush()
      // What names nothing is not kept, else it would be asked about after every change.
      if (!isPermit) await call('plan', { cards: [wanted] })
      ask(wanted)
    })
  const allow = (at: Element): void => {
    const done = from(at, 'main form input')
    run(async () => {
      await call('allow', { permit: wanted })
      type('')
      ask('')
      done(`Allowed: ${wanted}`)
    })
  }
  const change = (text: string): void => {
    type(text)
    ask('')
    clear()
    hush()
  }
  /** Whether another press allows it. */
  const isReady = isPermit && isShown
  const card = isShown && !isPermit ? wanted : null
  const plan = useData('plan', card === null ? null : { cards: [card] })
  return { text, change, wanted, isReady, card, plan, show, allow, failure, isBusy, said, from }
}

function Adding() {
  const { text, change, wanted, isReady, card, plan, show, allow, failure, isBusy, said, from } = useAdding()
  const words = useContext(PermitWords)
  return (
    <section class="panel">
      <h2>Allow something</h2>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) allow(event.currentTarget)
          else show()
        }}
      >
        <label class="grow">
          Id of an agent or tool; or an origin such as a2a:https://agents.example; or bundled
          <input value={text} onInput={({ currentTarget }) => change(currentTarget.value)} />
        </label>
        <button type="submit" class="button" disabled={isBusy || wanted === ''}>
          {isReady ? 'Allow it' : 'Show what it would start'}
        </button>
      </form>
      <Problem failure={failure} />
      <p role="status" dir="auto">
        {isReady ? `${inWords(wanted, words)}. Press Enter again to allow it.` : said}
      </p>
      {card !== null && <WouldStart plan={plan} from={from} />}
    </section>
  )
}

/** What a card would start, and the user's word for it. */
const WouldStart = ({ plan, from }: Pick<ReturnType<typeof useAdding>, 'plan' | 'from'>) => (
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
)
