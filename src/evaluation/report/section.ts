import { type Html, html } from './html.ts'

/** A stretch of the page with its own heading and place to jump to. */
export type Section = {
  readonly id: string
  readonly title: string
  /** As the navigation calls it, when that is shorter. */
  readonly short?: string
  readonly body: Html
}

export const sectionMarkup = ({ id, title, body }: Section): Html => html`
<section id="${id}">
<h2>${title}</h2>
${body}
</section>
`
