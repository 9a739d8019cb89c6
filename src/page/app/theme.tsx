import { useEffect, useState } from 'preact/hooks'

const changed = 'audition-theme'
const chosen = (): string => localStorage.getItem('theme') ?? 'auto'

/** The colours that the reader chose: `auto` as the system has them, `light` or `dark`. */
export function useTheme(): string {
  const [theme, set] = useState(chosen)
  useEffect(() => {
    const look = (): void => set(chosen())
    addEventListener(changed, look)
    return () => removeEventListener(changed, look)
  }, [])
  return theme
}

/** Colours follow the system until the reader chooses otherwise. */
export function Theme() {
  const theme = useTheme()
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const choose = (next: string): void => {
    localStorage.setItem('theme', next)
    dispatchEvent(new Event(changed))
  }
  return (
    <label class="theme">
      <span class="unseen">Theme</span>
      <select value={theme} onInput={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="auto">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
