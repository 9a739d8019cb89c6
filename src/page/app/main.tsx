import { render } from 'preact'
import { enter, tokenOfOtherTab, useToken } from './api.ts'
import { Shell } from './shell.tsx'

/** The ticket of the address that a person was shown. It is taken out at once, so that no history keeps it. */
async function start(root: HTMLElement): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket')
  if (ticket !== null) {
    history.replaceState(null, '', '#/')
    await enter(ticket).catch(() => false)
  } else if (sessionStorage.getItem('audition-token') === null) {
    const token = await tokenOfOtherTab()
    if (token !== null) useToken(token)
  }
  render(<Shell />, root)
}

const root = document.getElementById('page')
if (root !== null) void start(root)
