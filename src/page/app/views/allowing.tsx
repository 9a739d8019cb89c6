import type { Api } from '../../../server/api/endpoints.ts'
import { call } from '../api.ts'
import { useAction, useData, useDone } from '../data.ts'
import { NotRunText, Problem, Ready } from '../parts.tsx'
import { PermitLines } from '../permit-lines.tsx'

/** What running them would start, and the user's word for it. */
export function Permission({ cards }: { cards: readonly string[] }) {
  const loaded = useData('plan', { cards })
  const { said, from } = useDone()
  return (
    <>
      <p class="unseen" role="status">
        {said}
      </p>
      <Ready from={loaded}>
        {({ plans }) =>
          plans
            .filter(
              ({ notRun, digest }, at) =>
                notRun !== null && plans.findIndex((one) => one.digest === digest) === at,
            )
            .map((plan) => <Wanted key={plan.card} plan={plan} from={from} />)
        }
      </Ready>
    </>
  )
}

export function Wanted({
  plan: { card, display, notRun, wanted, digest, within },
  from,
}: {
  plan: Api['plan']['output']['plans'][number]
  from: ReturnType<typeof useDone>['from']
}) {
  const { failure, isBusy, run } = useAction()
  const allow = ({ currentTarget }: { currentTarget: Element }): void => {
    const done = from(currentTarget, 'form [type=submit]')
    run(async () => {
      await call('allow', { card, digest })
      done(`Allowed: ${card}`)
    })
  }
  if (notRun !== null && notRun.kind !== 'permission') return <NotRunText card={card} why={notRun} />
  return (
    <div class="ask" data-item tabIndex={-1}>
      <p>
        <strong>{card}</strong> would start:
      </p>
      {!wanted.some(({ permit }) => permit.includes(display)) && (
        <code class="display" dir="auto">
          {display}
        </code>
      )}
      <PermitLines permits={wanted} />
      {within && <p class="note">Held by: {within}</p>}
      {notRun?.changed?.map(({ permit, was, now, because }) => (
        <div class="diff">
          <p>
            {because === 'changed'
              ? `${permit} changed since you allowed it:`
              : `${permit} was allowed by its name alone:`}
          </p>
          {was.map((line) => (
            <del>{line}</del>
          ))}
          {now.map((line) => (
            <ins>{line}</ins>
          ))}
        </div>
      ))}
      <Problem failure={failure} />
      <p>
        <button type="button" class="button primary" disabled={isBusy} onClick={allow}>
          Allow exactly this<span class="unseen"> for {card}</span>
        </button>
      </p>
    </div>
  )
}
