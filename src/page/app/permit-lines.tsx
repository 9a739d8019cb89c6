import type { Api } from '../../server/api/endpoints.ts'
import { Chip, counted } from './parts.tsx'

type Permit = Api['permits']['output']['permits'][number]

/** How permits begin, what one of them is for, and what one with a star is for. */
const kinds: readonly (readonly [start: string, one: string, all: string])[] = [
  ['mcp:', 'The MCP server', 'Every MCP server whose configuration and name begin with'],
  ['command:', 'The program', 'Every agent whose command line begins with'],
  ['profile:', 'The agent of the file', 'Every agent whose file begins with'],
  ['subagent:', 'The sub-agent of the file', 'Every sub-agent whose file begins with'],
  ['skill:', 'The skill of the file', 'Every skill whose file begins with'],
  ['a2a:', 'Agents at', 'Every agent at an address that begins with'],
  ['chat:', 'The chat service at', 'Every chat service at an address that begins with'],
]

/** A permit in words. */
export function inWords(permit: string): string {
  if (permit === 'bundled') return 'Everything that ships with Audition, but for the models it needs'
  const kind = kinds.find(([start]) => permit.startsWith(start))
  const rest = kind === undefined ? permit : permit.slice(kind[0].length)
  if (!permit.endsWith('*')) return `${kind === undefined ? '' : `${kind[1]} `}${rest}`
  const config = permit.startsWith('mcp:') && rest.endsWith('#*') ? rest.slice(0, -2) : undefined
  const what =
    config === undefined ? `${kind?.[2] ?? ''} ${rest.slice(0, -1)}` : `Every MCP server in ${config}`
  return `${what}: whatever it starts, what is added later, and after a change too`
}

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
    <span dir="auto">{inWords(permit)}</span>{' '}
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
