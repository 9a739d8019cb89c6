import { call } from './api.ts'
import { useAction } from './data.ts'
import { counted, Problem } from './parts.tsx'
import { go, to } from './place.ts'

type BundledOffProps = {
  standing: 'off' | 'removed'
  /** Cards that left with it, where that is known. */
  cards?: number
}

/** Says that the catalog which ships with Audition is not searched, and why; a button brings it back. */
export function BundledOff({ standing, cards }: BundledOffProps) {
  const { failure, isBusy, run } = useAction()
  const bringBack = (): void =>
    run(async () => {
      const { id } = await call('index', { location: 'bundled:' })
      go(to('catalog', { job: id }))
    })
  return (
    <div>
      <p>
        The bundled catalog{cards !== undefined && ` (${counted(cards, 'card')})`}{' '}
        {standing === 'off' ? 'is off, now that you have sources of your own.' : 'was removed.'}
      </p>
      <Problem failure={failure} />
      <div class="actions">
        <button type="button" class="button" disabled={isBusy} onClick={bringBack}>
          {standing === 'off' ? 'Search it too' : 'Bring it back'}
        </button>
      </div>
    </div>
  )
}
