/** A known weakness that is lived with: an entry of `audit-exceptions.json`. */
export type AuditException = {
  /** Its identifier at GitHub: `GHSA-xxxx-xxxx-xxxx`. */
  readonly advisory: string
  readonly package: string
  /** Why it does no harm here. */
  readonly reason: string
  /** The last day on which that is believed, `2027-06-30`. */
  readonly until: string
}

/** A weakness that npm knows of. */
type Weakness = {
  readonly package: string
  readonly advisory: string
  readonly title: string
  readonly severity: string
  /** Null where no exception explains it. */
  readonly reason: string | null
}

/** What an audit says. */
type AuditOutcome =
  | { readonly kind: 'answered'; readonly weaknesses: readonly Weakness[] }
  /** Nothing is known: the registry did not answer, or not in words that are understood. */
  | { readonly kind: 'unanswered'; readonly reason: string }

type Via = { readonly name: string; readonly url: string; readonly title: string; readonly severity: string }

const weighing = ['high', 'critical']

/**
 * Reads the report of `npm audit --json`. Only high and critical weaknesses count.
 *
 * @param written - what npm wrote to stdout
 * @param today - `2026-11-22`; exceptions that ended before explain nothing
 * @param isUsers - whether users get a package: weaknesses of the others are passed over
 */
export function auditOutcome(
  written: string,
  exceptions: readonly AuditException[],
  today: string,
  isUsers: (packageName: string) => boolean = () => true,
): AuditOutcome {
  const report = parsed(written)
  if (report?.auditReportVersion !== 2 || report.vulnerabilities === undefined)
    return { kind: 'unanswered', reason: report?.message ?? 'npm audit gave no report.' }
  const found = new Map<string, Weakness>()
  for (const { via } of Object.values(report.vulnerabilities))
    for (const one of via) {
      // A name stands for a weakness of a dependency, which has an entry of its own.
      if (typeof one === 'string' || !weighing.includes(one.severity) || !isUsers(one.name)) continue
      const advisory = /GHSA(-[a-z0-9]{4}){3}/i.exec(one.url)?.[0] ?? one.url
      const exception = exceptions.find(
        (known) => known.advisory === advisory && known.package === one.name && known.until >= today,
      )
      const { name, title, severity } = one
      found.set(`${advisory} ${name}`, {
        package: name,
        advisory,
        title,
        severity,
        reason: exception?.reason ?? null,
      })
    }
  return { kind: 'answered', weaknesses: [...found.values()] }
}

type Report = {
  readonly auditReportVersion?: number
  readonly vulnerabilities?: { readonly [name: string]: { readonly via: readonly (Via | string)[] } }
  readonly message?: string
}

function parsed(written: string): Report | null {
  try {
    return JSON.parse(written) as Report
  } catch {
    return null
  }
}

/** Exit codes: nothing unexplained, something is, or nobody knows. */
const auditExitCodes = { clean: 0, weak: 1, unknown: 2 } as const

/** The outcome in words, and its exit code. */
export function auditLines(outcome: AuditOutcome): {
  readonly lines: readonly string[]
  readonly code: number
} {
  if (outcome.kind === 'unanswered') {
    const reason = outcome.reason.trim().split('\n')[0]
    return {
      lines: [
        `NOT AUDITED: the registry did not answer (${reason}). Nothing is known of weaknesses.`,
        'Run it where the registry answers audits: npm config get registry shows which one is asked.',
      ],
      code: auditExitCodes.unknown,
    }
  }
  const { weaknesses } = outcome
  const open = weaknesses.filter(({ reason }) => reason === null)
  const lines = weaknesses.map(
    ({ package: name, advisory, severity, title, reason }) =>
      `${name}: ${severity}, ${advisory}, ${title}. ${reason === null ? 'NOT EXPLAINED' : `Explained: ${reason}`}`,
  )
  const total = `${weaknesses.length} high or critical weaknesses known, ${open.length} of them not explained.`
  return { lines: [...lines, total], code: open.length === 0 ? auditExitCodes.clean : auditExitCodes.weak }
}
