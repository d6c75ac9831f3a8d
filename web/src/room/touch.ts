import { spanUnder } from './span-under.ts'

/** What two fingers or one do on a chart: the new span of time, while they move and when they leave. */
interface TouchHandlers {
  /** The span shown when the first finger came down. */
  span(): { fromS: number; toS: number }
  onMove(fromS: number, toS: number): void
  onEnd(fromS: number, toS: number): void
}

/** One finger moves the chart in time, two zoom; a mouse keeps its own ways. */
export function followFingers(element: HTMLElement, handlers: TouchHandlers): () => void {
  const fingers = new Map<number, { startX: number; x: number }>()
  let start: { fromS: number; toS: number } | undefined
  let shown: [fromS: number, toS: number] | undefined

  const begin = () => {
    for (const finger of fingers.values()) finger.startX = finger.x
    start = shown ? { fromS: shown[0], toS: shown[1] } : handlers.span()
  }
  const down = ({ pointerType, pointerId, clientX: x }: PointerEvent) => {
    if (pointerType !== 'touch') return
    element.setPointerCapture(pointerId)
    fingers.set(pointerId, { startX: x, x })
    begin()
  }
  const move = ({ pointerId, clientX }: PointerEvent) => {
    const finger = fingers.get(pointerId)
    if (!finger || !start) return
    finger.x = clientX
    const next = spanUnder([...fingers.values()], start, element.clientWidth)
    if (!next) return
    shown = next
    handlers.onMove(...next)
  }
  const up = ({ pointerId }: PointerEvent) => {
    if (!fingers.delete(pointerId)) return
    if (fingers.size > 0) return begin()
    if (shown) handlers.onEnd(Math.round(shown[0]), Math.round(shown[1]))
    shown = undefined
  }
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up }
  element.style.touchAction = 'pan-y'
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener as EventListener)
  return () => {
    for (const [name, listener] of Object.entries(listeners))
      element.removeEventListener(name, listener as EventListener)
  }
}
