/** What an event or a time zone needs; all else of a feed, such as who takes part where, is never stored. */
const KEPT: Record<string, Set<string>> = {
  VEVENT: new Set(
    ['UID', 'SUMMARY', 'DTSTART', 'DTEND', 'DURATION'].concat('RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'STATUS'),
  ),
  VTIMEZONE: new Set(['TZID']),
  STANDARD: new Set(['DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO']),
  DAYLIGHT: new Set(['DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO']),
}

/** Each as the lines of one component, so that a malformed one spoils no other. */
interface FeedBlocks {
  zones: string[]
  events: string[]
}

/** The components of a feed with the properties that are needed; null where it is no calendar. */
export function blocksOf(text: string): FeedBlocks | null {
  const found: FeedBlocks = { zones: [], events: [] }
  const within: string[] = []
  let block: string[] = []
  let isCalendar = false
  for (const line of unfolded(text)) {
    const [, name = '', value = ''] = /^([A-Za-z-]+)(?:[;:])(.*)$/s.exec(line) ?? []
    const property = name.toUpperCase()
    const component = value.trim().toUpperCase()
    if (property === 'BEGIN') {
      if (component === 'VCALENDAR') isCalendar = true
      if (component === 'VEVENT' || component === 'VTIMEZONE') {
        // One that was cut off ends where the next begins.
        within.length = 0
        block = []
      }
      within.push(component)
      if (component in KEPT) block.push(`BEGIN:${component}`)
    } else if (property === 'END') {
      within.pop()
      if (component in KEPT) block.push(`END:${component}`)
      if (component === 'VEVENT') found.events.push(block.join('\r\n'))
      if (component === 'VTIMEZONE') found.zones.push(block.join('\r\n'))
    } else if (KEPT[within.at(-1) ?? '']?.has(property)) block.push(line)
  }
  return isCalendar ? found : null
}

/** A feed that says the same as the blocks. */
export const feedOf = ({ zones, events }: FeedBlocks): string =>
  ['BEGIN:VCALENDAR', ...zones, ...events, 'END:VCALENDAR'].join('\r\n')

/** Long lines go on in lines that begin with a blank. */
function* unfolded(text: string): Generator<string> {
  let line = ''
  for (const each of text.replace(/^\uFEFF|\0/g, '').split(/\r\n|\n|\r/)) {
    if (each.startsWith(' ') || each.startsWith('\t')) line += each.slice(1)
    else {
      if (line !== '') yield line
      line = each
    }
  }
  if (line !== '') yield line
}
