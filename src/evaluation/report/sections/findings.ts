import { grouped } from '../../../domain/grouped.ts'
import { findingTitles } from '../../self/finding-titles.ts'
import type { Finding } from '../../self/findings.ts'
import { type Html, html } from '../html.ts'
import { counted } from '../numbers.ts'
import type { ReportInput } from '../report-input.ts'
import type { Section } from '../section.ts'

/** Findings of a kind that stand open, and that the page holds at all: an index may have thousands. */
const open = 10
const held = 200
/** Other cards named of a finding, and letters of what it says. */
const namedOthers = 5
const messageLetters = 400

/** Cards that are named beside the finding, unless its message names them. */
function othersOf({ others, message }: Finding): Html | undefined {
  const unnamed = others.filter((other) => !message.includes(other))
  if (unnamed.length === 0) return undefined
  const more = unnamed.length - namedOthers
  return html`<span class="ids">see ${unnamed.slice(0, namedOthers).map((id) => html`<code dir="auto">${id}</code> `)}${
    more > 0 ? `and ${counted(more)} more` : undefined
  }</span>`
}

const item = (finding: Finding): Html => html`<li><code dir="auto">${finding.card}</code>
<span dir="auto">${finding.message.slice(0, messageLetters)}</span> ${othersOf(finding)}</li>\n`

const list = (findings: readonly Finding[]): Html => html`<ul class="findings">${findings.map(item)}</ul>`

/** The rest of a long list is folded. */
function folded(findings: readonly Finding[], all: number): Html | undefined {
  if (findings.length === 0) return undefined
  const left = all - open - findings.length
  return html`<details><summary>${counted(all - open)} more</summary>
${list(findings)}
${left > 0 ? html`<p class="note">${counted(left)} more are not in this page: <code>audition evaluate --self --json</code> lists them all.</p>` : undefined}
</details>`
}

/** A text whose commands stand between backticks. */
const withCommands = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

function kindMarkup(findings: readonly Finding[]): Html {
  const [{ kind, remedy }] = findings as readonly [Finding]
  return html`<h3>${findingTitles[kind]} <small>${counted(findings.length)}</small></h3>
<p><strong>Fix:</strong> ${withCommands(remedy)}</p>
${list(findings.slice(0, open))}
${folded(findings.slice(open, held), findings.length)}\n`
}

/** What keeps cards of the user's index from being found, by kind and fix, worst first. Nothing of other datasets. */
export function findingsSection({ findings }: ReportInput): Section | undefined {
  if (findings === undefined) return undefined
  const kinds = [...grouped(findings, ({ kind, remedy }) => `${kind} ${remedy}`).values()]
  const body =
    kinds.length === 0
      ? html`<p>Nothing keeps a card from being found.</p>`
      : html`<p>What keeps cards of your index from being found, worst first, and what to do about it.</p>
${kinds.map(kindMarkup)}`
  return { id: 'findings', title: 'Findings', body }
}
