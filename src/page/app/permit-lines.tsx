import { useContext } from 'preact/hooks'
import type { Api } from '../../server/api/endpoints.ts'
import { Chip, counted } from './parts.tsx'
import { inWords } from './permit-words.ts'
import { PermitWords } from './session.ts'

type Permit = Api['permits']['output']['permits'][number]

type Covered = Api['covered']['output']

/** What of the index a permit matches that stands for more than one launch. */
export function matchesInWords(permit: string, { permits, isPart }: Covered): string | undefined {
  const found = permits.find((one) => one.permit === permit)
  if (found === undefined) return undefined
  const { servers, agents } = found
  const names = [...servers, ...agents]
  if (names.length === 0)
    return isPart ? 'Nothing that could be looked at needs it today.' : 'Nothing in the index needs it today.'
  const counts = [
    ...(servers.length === 0 ? [] : [counted(servers.length, 'MCP server')]),
    ...(agents.length === 0 ? [] : [counted(agents.length, 'agent')]),
  ]
  const more = names.length > mostNames ? ' and more' : ''
  return `Today: ${isPart ? 'at least ' : ''}${counts.join(' and ')}: ${names.slice(0, mostNames).join(', ')}${more}.`
}

const mostNames = 5

/** Permits with what each stands for. */
export const PermitLines = ({ permits }: { permits: readonly Permit[] }) => (
  <ul class="plain permits">
    {permits.map((one) => (
      <li>
        <PermitText permit={one} />
      </li>
    ))}
  </ul>
)

export const PermitText = ({ permit: { permit, launch, isByNameAlone, ...held } }: { permit: Permit }) => (
  <>
    <span dir="auto">{inWords(permit, useContext(PermitWords))}</span>{' '}
    {'sandbox' in held && held.sandbox && (
      <Chip>
        in {held.sandbox}, {held.network ? 'network open' : 'no network'}
      </Chip>
    )}
    {isByNameAlone && <Chip tone="warn">by its name alone: it is asked for again</Chip>}
    {launch.map((line) => (
      <small dir="auto">{line}</small>
    ))}
  </>
)
