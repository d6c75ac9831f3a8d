import { DAY_MS } from '@hypocaust/domain'
import { runs } from '@hypocaust/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Occurrence, readFeed } from '../src/house/calendars/occurrences.ts'
import { readCalendar } from '../src/house/calendars/read-calendar.ts'

const NOW_MS = Date.UTC(2026, 2, 20, 12)
const AT = { timeZone: 'Europe/Berlin', nowMs: NOW_MS }

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`
const feed = (...all: string[]) => lines('BEGIN:VCALENDAR', 'VERSION:2.0', ...all, 'END:VCALENDAR')
const event = (...all: string[]) => ['BEGIN:VEVENT', 'UID:one@example.org', ...all, 'END:VEVENT']

function read(text: string, nowMs = NOW_MS) {
  const reading = readFeed(text, { ...AT, nowMs })
  if (!reading.ok) throw new Error(reading.problem)
  return reading
}
const clock = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const shown = ({ title, fromMs, untilMs }: Occurrence) => `${title} ${clock(fromMs)} ${clock(untilMs)}`
const occurrences = (text: string, nowMs?: number) => read(text, nowMs).occurrences.map(shown)

/** As Exchange writes it, with a name of its own and both changes of the clocks. */
const WINDOWS_ZONE = [
  ...['BEGIN:VTIMEZONE', 'TZID:Customized Time Zone'],
  ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

describe('a calendar', () => {
  test('of Google: days, times in UTC, a title with commas, and a long line that is folded', () => {
    const text = feed(
      'X-WR-TIMEZONE:Europe/Berlin',
      ...event(
        'DTSTART;VALUE=DATE:20260403',
        'DTEND;VALUE=DATE:20260406',
        'SUMMARY:Urlaub\\, Ostern',
        'TRANSP:TRANSPARENT',
      ),
      ...event('DTSTART:20260325T080000Z', 'DTEND:20260325T160000Z', 'SUMMARY:Home', '  off', ' ice'),
    )
    expect(occurrences(text)).toEqual([
      'Home office 2026-03-25T08:00 2026-03-25T16:00',
      'Urlaub, Ostern 2026-04-02T22:00 2026-04-05T22:00',
    ])
  })

  test('of Outlook: zones by names of Windows, described in the feed or not', () => {
    const times = (zone: string) => [`DTSTART;TZID=${zone}:20260327T090000`, `DTEND;TZID=${zone}:20260327T100000`]
    const repeats = ['RRULE:FREQ=DAILY;COUNT=4', 'SUMMARY:Shift']
    const expected = ['27T08:00', '28T08:00', '29T07:00', '30T07:00'].map(
      (at) => `Shift 2026-03-${at} 2026-03-${at.replace(/0(\d):/, (_, hour) => `0${Number(hour) + 1}:`)}`,
    )
    expect(occurrences(feed(...WINDOWS_ZONE, ...event(...times('Customized Time Zone'), ...repeats)))).toEqual(expected)
    expect(occurrences(feed(...event(...times('W. Europe Standard Time'), ...repeats)))).toEqual(expected)
    // A zone that nobody knows is that of the building.
    expect(occurrences(feed(...event(...times('Somewhere'), ...repeats)))).toEqual(expected)
  })

  test('of Nextcloud: a moved, a cancelled and a left out occurrence of a series', () => {
    const zone = ';TZID=Europe/Berlin:'
    const text = feed(
      ...event(
        `DTSTART${zone}20260302T080000`,
        `DTEND${zone}20260302T120000`,
        'RRULE:FREQ=WEEKLY;BYDAY=MO',
        `EXDATE${zone}20260330T080000`,
        'SUMMARY:Office',
      ),
      ...event(
        `RECURRENCE-ID${zone}20260323T080000`,
        `DTSTART${zone}20260324T100000`,
        `DTEND${zone}20260324T110000`,
        'SUMMARY:Office, moved',
      ),
      ...event(
        `RECURRENCE-ID${zone}20260406T080000`,
        `DTSTART${zone}20260406T080000`,
        'STATUS:CANCELLED',
        'SUMMARY:Office',
      ),
    )
    expect(occurrences(text).slice(0, 3)).toEqual([
      'Office, moved 2026-03-24T09:00 2026-03-24T10:00',
      'Office 2026-04-13T06:00 2026-04-13T10:00',
      'Office 2026-04-20T06:00 2026-04-20T10:00',
    ])
  })

  test('of Apple: lines that end in LF alone, floating times, a duration, and further dates', () => {
    const text = feed(
      ...event('DTSTART:20260321T180000', 'DURATION:PT2H', 'RDATE:20260328T180000,20260329T180000', 'SUMMARY:Gäste'),
      ...['BEGIN:VALARM', 'TRIGGER:-PT15M', 'SUMMARY:Alarm', 'END:VALARM'],
    ).replaceAll('\r\n', '\n')
    expect(occurrences(`\uFEFF${text}`)).toEqual([
      'Gäste 2026-03-21T17:00 2026-03-21T19:00',
      'Gäste 2026-03-28T17:00 2026-03-28T19:00',
      'Gäste 2026-03-29T16:00 2026-03-29T18:00',
    ])
  })

  test('has whole days across both changes of the clocks', () => {
    const days = event('DTSTART;VALUE=DATE:20260328', 'RRULE:FREQ=DAILY;UNTIL=20260329', 'SUMMARY:Day')
    expect(occurrences(feed(...days))).toEqual([
      'Day 2026-03-27T23:00 2026-03-28T23:00',
      'Day 2026-03-28T23:00 2026-03-29T22:00',
    ])
    const autumn = event('DTSTART;VALUE=DATE:20261025', 'SUMMARY:Day')
    expect(occurrences(feed(...autumn), Date.UTC(2026, 9, 20))).toEqual(['Day 2026-10-24T22:00 2026-10-25T23:00'])
  })

  test('ends a series with the last time that its end allows, which is in UTC', () => {
    const late = (until: string) =>
      occurrences(
        feed(
          ...event('DTSTART;TZID=Europe/Berlin:20260320T233000', 'DURATION:PT30M', `RRULE:FREQ=DAILY;UNTIL=${until}`),
        ),
      ).length
    expect(late('20260322T223000Z')).toBe(3)
    expect(late('20260322T222959Z')).toBe(2)
  })

  test('is looked at for sixty days, however long a series has gone on', () => {
    const daily = feed(
      ...event('DTSTART:19900101T070000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;INTERVAL=2', 'SUMMARY:Run'),
    )
    const all = read(daily).occurrences
    expect(all).toHaveLength(30)
    const sinceFirst = all.map(({ fromMs }) => (fromMs - Date.UTC(1990, 0, 1, 7)) / DAY_MS)
    expect(sinceFirst.every((days) => days % 2 === 0)).toBe(true)
  })

  test('keeps its events but for one that is malformed, which is counted', () => {
    const text = feed(
      ...event('DTSTART:yesterday', 'SUMMARY:Broken'),
      'this is no line of a calendar',
      ...event('DTSTART:20260325T080000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Too often'),
      ...event('DTSTART:20260325T080000Z', 'DTEND:20260325T090000Z', 'SUMMARY:Sound'),
    )
    expect(occurrences(text)).toEqual(['Sound 2026-03-25T08:00 2026-03-25T09:00'])
    expect(read(text).unreadable).toBe(2)
  })

  test('is kept without what is over, and without who takes part where', () => {
    const text = feed(
      ...event('DTSTART:20250325T080000Z', 'SUMMARY:Last year'),
      ...event(
        'DTSTART:20260325T080000Z',
        'SUMMARY:Soon',
        'LOCATION:Secret',
        'ATTENDEE:mailto:a@example.org',
        'DESCRIPTION:no',
      ),
    )
    const { content, occurrences: all } = read(text)
    expect(content).not.toMatch(/Last year|Secret|mailto|DESCRIPTION/)
    expect(read(content).occurrences).toEqual(all)
  })

  test.each(['', '<html>Sign in</html>', '{}', 'BEGIN:VCARD\r\nEND:VCARD'])('is not %j', (text) => {
    expect(readFeed(text, AT)).toEqual({ ok: false, problem: 'not_a_calendar' })
  })

  test('with too many events is too large', () => {
    const many = Array.from({ length: 10_001 }, () => event('DTSTART:20260325T080000Z', 'SUMMARY:x')).flat()
    expect(readFeed(feed(...many), AT)).toEqual({ ok: false, problem: 'too_large' })
  })

  test('that takes too long is given up, and the next one is read', async () => {
    const series = event('DTSTART:18000101T080000Z', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=99999')
    const hostile = feed(...Array.from({ length: 2000 }, () => series).flat())
    expect(await readCalendar(hostile, AT, 200)).toEqual({ ok: false, problem: 'too_slow' })
    const sound = feed(...event('DTSTART:20260325T080000Z', 'SUMMARY:Sound'))
    expect(await readCalendar(sound, AT)).toMatchObject({ ok: true, occurrences: [{ title: 'Sound' }] })
  })

  test('of any bytes is read or refused', () => {
    const word = fc.constantFrom(
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'END:VEVENT', 'END:VCALENDAR', 'BEGIN:VTIMEZONE', 'END:VTIMEZONE'],
      ...['DTSTART:20260325T080000Z', 'DTSTART;VALUE=DATE:20260325', 'DTSTART;TZID=Nowhere:20269999T999999', 'DTEND:x'],
      ...['RRULE:FREQ=DAILY', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'RRULE:FREQ=WEEKLY;INTERVAL=0;BYDAY=XX'],
      ...[
        'RRULE:FREQ=MONTHLY;BYDAY=5MO;UNTIL=99991231',
        'DURATION:-P99999999W',
        'EXDATE:;;;',
        'TZID:Nowhere',
        ' \u0000folded',
      ],
      ...[
        'RECURRENCE-ID:20260325T080000Z',
        'UID:a',
        'SUMMARY:\\n\\,\ud800',
        'BEGIN:STANDARD',
        'TZOFFSETTO:+9999',
        'END:STANDARD',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string(), fc.string({ unit: 'binary' })), { maxLength: 40 }), (all) => {
        const text = `BEGIN:VCALENDAR\nVERSION:2.0\n${all.join('\n')}`
        const reading = readFeed(text, AT)
        if (!reading.ok) throw new Error(reading.problem)
        for (const { title, fromMs, untilMs } of reading.occurrences) {
          expect(untilMs).toBeGreaterThanOrEqual(fromMs)
          expect(title.isWellFormed() && !title.includes('\0')).toBe(true)
        }
        expect(reading.content).not.toContain('\0')
      }),
      { numRuns: runs(1000) },
    )
  })
})
