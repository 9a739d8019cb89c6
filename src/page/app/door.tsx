import { useEffect, useRef, useState } from 'preact/hooks'
import { call, type Failure, hasToken, useToken } from './api.ts'
import { failureOf } from './data.ts'
import { Problem } from './parts.tsx'

type DoorProps = { failure: Failure; retry: () => void }

/** Where a token is asked for, or the server is not there. The address stays, so that one comes in where one wanted. */
export const Door = ({ failure, retry }: DoorProps) => (
  <main class="door">
    <img src="/page/icon.svg" alt="" width="48" height="48" />
    <h1>Audition</h1>
    {failure.status !== 401 ? (
      <>
        <Problem failure={failure} />
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </>
    ) : failure.isByAddress ? (
      <p class="problem" role="alert">
        <strong>
          {hasToken() ? 'Audition was started anew.' : 'This address does not open the page (any more).'}
        </strong>{' '}
        Open the address that it printed last. Each works once.
      </p>
    ) : (
      <TokenForm retry={retry} />
    )}
  </main>
)

function TokenForm({ retry }: { retry: () => void }) {
  const [given, give] = useState('')
  const [isWrong, wrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const enterWith = async (event: Event): Promise<void> => {
    event.preventDefault()
    wrong(false)
    useToken(given.trim())
    const failure = await call('session', {}).then(() => undefined, failureOf)
    if (failure?.status !== 401) return retry()
    wrong(true)
    give('')
    field.current?.focus()
  }
  return (
    <form onSubmit={(event) => void enterWith(event)}>
      <p>This server asks who you are. Give the token that you were given for it.</p>
      {isWrong && (
        <p class="problem" role="alert">
          That token is not right.
        </p>
      )}
      <label>
        Token
        <input
          ref={field}
          type="password"
          autocomplete="off"
          value={given}
          onInput={({ currentTarget }) => give(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary" disabled={given.trim() === ''}>
        Open
      </button>
    </form>
  )
}
