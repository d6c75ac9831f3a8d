import { useEffect, useState } from 'react'

const AFTER_TOUCH_MS = 1000

let touchedAt = Number.NEGATIVE_INFINITY
let isDown = false
const listeners = new Set<() => void>()

function note(): void {
  touchedAt = performance.now()
  for (const listener of listeners) listener()
}

addEventListener('pointerdown', () => {
  isDown = true
  note()
})
for (const end of ['pointerup', 'pointercancel'] as const) {
  addEventListener(end, () => {
    isDown = false
    note()
  })
}

const isCalm = () => !isDown && performance.now() - touchedAt >= AFTER_TOUCH_MS

/** The latest value, but not while a finger is down or about to come down again: an order of things must not change under it. */
export function useCalm<T>(value: T, key: string): T {
  const [shown, setShown] = useState({ value, key })
  useEffect(() => {
    if (key === shown.key) return
    let timer: number | undefined
    const look = () => {
      clearTimeout(timer)
      if (isCalm()) setShown({ value, key })
      else timer = window.setTimeout(look, AFTER_TOUCH_MS)
    }
    listeners.add(look)
    look()
    return () => {
      listeners.delete(look)
      clearTimeout(timer)
    }
  }, [value, key, shown.key])
  return key === shown.key ? value : shown.value
}
