import type { Api } from '../../server/api/endpoints.ts'
import { Chip } from './parts.tsx'

type Permit = Api['permits']['output']['permits'][number]

const kinds: readonly (readonly [start: string, says: string])[] = [
  ['mcp:', 'The MCP server'],
  ['command:', 'The program'],
  ['profile:', 'The agent of the file'],
  ['subagent:', 'The sub-agent of the file'],
  ['a2a:', 'Agents at'],
  ['chat:', 'The chat service at'],
  ['model:', 'The model at'],
]

/** A permit in words. */
function inWords(permit: string): string {
  if (permit === 'bundled') return 'Everything that ships with Audition'
  const kind = kinds.find(([start]) => permit.startsWith(start))
  const rest = kind === undefined ? permit : permit.slice(kind[0].length)
  const said = `${kind === undefined ? '' : `${kind[1]} `}${rest}`
  return permit.endsWith('*') ? `${said.slice(0, -1)}… and whatever goes by such a name` : said
}

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
