import { useEffect, useState } from 'preact/hooks'

const themes = ['auto', 'light', 'dark'] as const

/** Colours follow the system until the reader chooses otherwise. */
export function ThemeButton() {
  const [chosen, choose] = useState(0)
  const theme = themes[chosen] ?? 'auto'
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return (
    <button type="button" id="theme" class="live" onClick={() => choose((chosen + 1) % themes.length)}>
      Theme: {theme}
    </button>
  )
}
