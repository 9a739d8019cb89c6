import { useEffect, useState } from 'preact/hooks'

/** Where the reader is: the address says all of it, so that it can be kept, shared and gone back to. */
export type PagePlace = { readonly view: string; readonly query: URLSearchParams }

type Query = { readonly [name: string]: string | readonly string[] | undefined }

/** The address of a view. */
export function to(view: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of typeof value === 'string' ? [value] : (value ?? []))
      if (one !== '') params.append(name, one)
  return `#/${view}${params.size === 0 ? '' : `?${params}`}`
}

function placeOf(hash: string): PagePlace {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { view: path === '' ? 'find' : path, query: new URLSearchParams(query) }
}

/** Goes to another place; `replace` leaves no step to go back to, as while somebody types. */
export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === location.hash) return
  if (how === 'push') location.hash = address
  else {
    history.replaceState(history.state, '', address)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

/** A field that the address fills: another address, as after going back, fills it anew. */
export function useField(asked: string): readonly [text: string, type: (text: string) => void] {
  const [text, type] = useState(asked)
  useEffect(() => type(asked), [asked])
  return [text, type]
}

/** The place, as it is now. */
export function usePlace(): PagePlace {
  const [place, set] = useState(() => placeOf(location.hash))
  useEffect(() => {
    const moved = (): void => set(placeOf(location.hash))
    addEventListener('hashchange', moved)
    return () => removeEventListener('hashchange', moved)
  }, [])
  return place
}
