const HOUR_MS = 3_600_000
/** Narrower than this share of the day, a span has no room for its temperature. */
const LABELLED_SHARE = 0.12

const element = (tag, className, text = '') => {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

const share = (at, { start, end }) => (Date.parse(at) - Date.parse(start)) / (Date.parse(end) - Date.parse(start))
const percent = (value) => `${(100 * value).toFixed(2)}%`

/** How warm a span is among all of the card, from 0 to 1. */
export function warmthOf(plans) {
  const all = plans.flatMap(({ plan }) => plan.map(({ temperature }) => temperature)).filter((each) => each !== null)
  const low = Math.min(...all)
  const high = Math.max(...all)
  return (temperature) => (high > low ? (temperature - low) / (high - low) : 0.5)
}

/** The day of a room as a strip: where it is warmer, the colour is stronger. */
export function drawPlan(strip, day, warmth, words, formats) {
  const spans = day.plan.map((span) => {
    const [from, to] = [share(span.start, day), share(span.end, day)]
    const isUnheated = span.temperature === null
    const text = isUnheated || to - from < LABELLED_SHARE ? '' : formats.degrees(span.temperature)
    const made = element('span', isUnheated ? 'span unheated' : 'span', text)
    made.style.insetInlineStart = percent(from)
    made.style.width = percent(to - from)
    if (!isUnheated) made.style.setProperty('--mix', percent(0.1 + 0.3 * warmth(span.temperature)))
    return made
  })
  strip.replaceChildren(...spans, element('span', 'now'))
  strip.setAttribute('aria-label', `${words.plan}: ${spoken(day.plan, words, formats)}`)
}

const spoken = (plan, words, formats) =>
  plan
    .map(({ start, temperature }) => {
      const planned = temperature === null ? words.notHeated : formats.degrees(temperature)
      return `${formats.time(new Date(start))} ${planned}`
    })
    .join(', ')

/** Morning, noon and evening above the strips; on two days a year they are not at the quarters. */
export function drawAxis(axis, day, formats) {
  const { start, end } = day
  const hours = Math.round((Date.parse(end) - Date.parse(start)) / HOUR_MS)
  const marks = Array.from({ length: hours }, (_, hour) => new Date(Date.parse(start) + hour * HOUR_MS))
    .filter((at) => [6, 12, 18].includes(formats.hour(at)))
    .map((at) => {
      const mark = element('span', 'mark', formats.time(at))
      mark.style.insetInlineStart = percent(share(at.toISOString(), day))
      return mark
    })
  axis.replaceChildren(...marks)
}

/** Where the day is now; the same for all strips of a card. */
export const nowShare = (day, now) => percent(Math.min(1, Math.max(0, share(now.toISOString(), day))))
