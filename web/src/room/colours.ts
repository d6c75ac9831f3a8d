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
  setpoint: '--setpoint',
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
    warmFill: seeThrough(resolved('var(--warm)'), 0.55),
    extremes: seeThrough(resolved('var(--ink)'), 0.16),
    font: getComputedStyle(probe).fontFamily,
  }
  probe.remove()
  return colours
}

/** The same colour, transparent; `color-mix` is missing in some browsers that are supported. */
const seeThrough = (rgb: string, alpha: number): string => rgb.replace(/^rgba?\(([^)/]+)\)$/, `rgba($1, ${alpha})`)
