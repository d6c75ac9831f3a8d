import { useEffect, useRef } from 'react'

const HOLD_MS = 450
const REPEAT_MS = 140

/** One press, one step; held down, more of them. By keyboard the browser repeats by itself. */
export function useHold(step: () => void) {
  const latest = useRef(step)
  latest.current = step
  const timer = useRef<number>(undefined)
  const hasRepeated = useRef(false)
  const release = () => clearInterval(timer.current)
  const repeat = () => {
    hasRepeated.current = true
    timer.current = window.setInterval(() => latest.current(), REPEAT_MS)
  }
  useEffect(() => () => clearInterval(timer.current), [])
  return {
    onPointerDown: () => {
      hasRepeated.current = false
      release()
      timer.current = window.setTimeout(repeat, HOLD_MS)
    },
    onPointerUp: release,
    onPointerLeave: release,
    onPointerCancel: release,
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: () => {
      if (!hasRepeated.current) latest.current()
      hasRepeated.current = false
    },
  }
}
