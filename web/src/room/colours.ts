import { useEffect, useState } from 'react'

const TOKENS = {
  ink: '--ink',
  soft: '--soft',
  line: '--line',
  warm: '--warm',
  outdoor: '--outdoor',
  humid: '--humid',
  band: '--band',
  night: '--night',
} as const

export type Colours = Record<keyof typeof TOKENS, string> & { warmFill: string; extremes: string; font: string }

/** The tokens as a canvas understands them, and again when the theme changes. */
export function useColours(): Colours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const update = () => setColours(readColours())
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(update)
    scheme.addEventListener('change', update)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      scheme.removeEventListener('change', update)
      chosen.disconnect()
    }
  }, [])
  return colours
}

function readColours(): Colours {
  const probe = document.createElement('span')
  document.body.append(probe)
  const resolved = (value: string) => {
    probe.style.color = value
    return getComputedStyle(probe).color
  }
  const named = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, resolved(`var(${token})`)]))
  const colours = {
    ...(named as Record<keyof typeof TOKENS, string>),
    warmFill: resolved('color-mix(in srgb, var(--warm) 55%, transparent)'),
    extremes: resolved('color-mix(in srgb, var(--ink) 16%, transparent)'),
    font: getComputedStyle(probe).fontFamily,
  }
  probe.remove()
  return colours
}
